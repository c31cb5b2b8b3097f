/** What a run of the mutants comes to, as text. */

/** One mutant that was tried. */
export interface Tried {
  /** The source, as `src/…/name.ts`, and the line there. */
  file: string;
  line: number;
  original: string;
  replacement: string;
  status: 'killed' | 'endless' | 'survived' | 'unreached';
}

/** Survivors that are known to be harmless: as many of this change as `times` says, in this file. */
export interface Accepted extends Pick<Tried, 'file' | 'original' | 'replacement'> {
  reason: string;
  /** Default: 1. */
  times?: number;
}

export interface Report {
  text: string;
  /** Killed ones of all, in percent; accepted ones count as survivors. */
  score: number;
  /** Survivors that no reason accepts. */
  open: number;
}

/** An endless loop is noticed too. */
const isKilled = ({ status }: Tried): boolean => status === 'killed' || status === 'endless';

const keyOf = ({ file, original, replacement }: Pick<Tried, 'file' | 'original' | 'replacement'>) =>
  JSON.stringify([file, squeezed(original), squeezed(replacement)]);

/** White space does not distinguish changes: a formatter moves it. */
const squeezed = (text: string): string => text.replace(/\s+/g, ' ').trim();

export function reportOn(tried: readonly Tried[], accepted: readonly Accepted[]): Report {
  const survivors = tried
    .filter((one) => !isKilled(one))
    .toSorted((a, b) => a.file.localeCompare(b.file) || a.line - b.line);
  const { known, open, stale } = sorted(survivors, acceptedIn(tried, accepted));
  const text = [
    ...listed('Survivors that are accepted:', known.map(acceptedLine)),
    ...listed('Accepted ones that did not survive: remove them from the list.', stale.map(change)),
    ...listed('Survivors:', open.map(survivorLine)),
    ...table(tried),
  ].join('\n');
  return { text, score: scoreOf(tried), open: open.length };
}

/** Those of the files that were tried. */
function acceptedIn(tried: readonly Tried[], accepted: readonly Accepted[]): Accepted[] {
  const files = new Set(tried.map(({ file }) => file));
  return accepted.filter(({ file }) => files.has(file));
}

function sorted(survivors: readonly Tried[], accepted: readonly Accepted[]) {
  const left = new Map(accepted.map((one) => [keyOf(one), { one, times: one.times ?? 1 }]));
  const known: (Tried & { reason: string })[] = [];
  const open: Tried[] = [];
  for (const survivor of survivors) {
    const entry = left.get(keyOf(survivor));
    if (entry && entry.times > 0) {
      entry.times -= 1;
      known.push({ ...survivor, reason: entry.one.reason });
    } else open.push(survivor);
  }
  const stale = [...left.values()].filter(({ times }) => times > 0).map(({ one }) => one);
  return { known, open, stale };
}

const listed = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`), ''];

const change = ({
  file,
  original,
  replacement,
}: Pick<Accepted, 'file' | 'original' | 'replacement'>) =>
  `${file}  ${squeezed(original)}  ->  ${squeezed(replacement)}`;

const survivorLine = ({ file, line, original, replacement, status }: Tried): string =>
  `${file}:${String(line)}  ${squeezed(original)}  ->  ${squeezed(replacement)}${status === 'unreached' ? '  (no test reaches it)' : ''}`;

const acceptedLine = (one: Tried & { reason: string }): string =>
  `${survivorLine(one)}\n      ${one.reason}`;

/** Of no mutants: nothing survived. */
function scoreOf(tried: readonly Tried[]): number {
  return tried.length === 0 ? 100 : (100 * tried.filter(isKilled).length) / tried.length;
}

function table(tried: readonly Tried[]): string[] {
  const files = [...new Set(tried.map(({ file }) => file))].toSorted();
  const row = (name: string, ones: readonly Tried[]): string => {
    const count = (status: Tried['status']) => ones.filter((one) => one.status === status).length;
    const counts = [ones.filter(isKilled).length, count('endless'), ones.length];
    return [
      name.padEnd(44),
      ...counts.map((n) => String(n).padStart(8)),
      scoreOf(ones).toFixed(1).padStart(8),
    ].join('');
  };
  const titles = ['killed', 'endless', 'of', 'score'].map((title) => title.padStart(8)).join('');
  return [
    `${'File'.padEnd(44)}${titles}`,
    ...files.map((file) =>
      row(
        file,
        tried.filter((one) => one.file === file),
      ),
    ),
    row('All', tried),
  ];
}
