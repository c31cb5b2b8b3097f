/** Reads a file: its records, or every problem with its line. */
import { isMap, isScalar, isSeq, LineCounter, parseDocument, type Document } from 'yaml';
import { readInput } from '../../src/api/actions/readInput.js';
import { AppError } from '../../src/lib/errors.js';
import { camelCase } from '../actions/readFlags.js';
import { isRow, type Row } from '../output/rows.js';
import { CAP_KEYS, FileSchema } from './fileSchema.js';
import type { AccountFile, Path, Problem, Written } from './model.js';
import { getOwn } from '../../src/lib/getOwn.js';

export interface ReadFile {
  file: AccountFile;
  /** The line of a position, from 1; for one that is missing in the file, the nearest around it. */
  lineOf: (path: Path) => number;
}

/** A problem with its place in words and its line. */
export interface Located extends Problem {
  line: number;
}

/** YAML aliases can make a small text very large. */
const ALIASES_MAX = 1_000;

export function readFile(
  text: string,
): ({ ok: true } & ReadFile) | { ok: false; problems: Located[] } {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    intAsBigInt: true,
  });
  if (document.errors.length > 0) {
    const problems = document.errors.map(({ pos, message }) => ({
      path: [],
      line: lines.linePos(pos[0]).line,
      message,
    }));
    return { ok: false, problems };
  }
  const lineOf = (path: Path) => lines.linePos(offsetOf(document, path)).line;
  const { value, problems } = contentOf(document);
  if (value && problems.length === 0) return { ok: true, file: recordsOf(value), lineOf };
  return { ok: false, problems: problems.map((one) => ({ ...one, line: lineOf(one.path) })) };
}

function contentOf(document: Document): { value: Row | null; problems: Problem[] } {
  const one = (message: string) => ({ value: null, problems: [{ path: [], message }] });
  try {
    const content = withNumbers(document.toJS({ maxAliasCount: ALIASES_MAX }));
    if (!isRow(content))
      return one(
        'The file must be a map with "version: 1", and buyers, suppliers, campaigns, funnels, automations.',
      );
    const value = readInput(FileSchema, content);
    return { value, problems: repeated(recordsOf(value)) };
  } catch (error) {
    if (error instanceof ReferenceError) return one(`${error.message}.`);
    if (!(error instanceof AppError)) throw error;
    const { details = [] } = error.extras;
    return {
      value: null,
      problems: details.map(({ path, message }) => problemOf(path.split('.').map(step), message)),
    };
  }
}

/** Whole numbers as the server reads them in JSON: those beyond 2^53 are ids, and become the text of their digits. */
function withNumbers(value: unknown): unknown {
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : String(value);
  }
  if (Array.isArray(value)) return value.map(withNumbers);
  if (!isRow(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withNumbers(item)]));
}

const step = (text: string): string | number => (/^\d+$/.test(text) ? Number(text) : text);

/** The message for a limit outside `caps` says where it belongs. */
function problemOf(path: Path, message: string): Problem {
  const key = String(path.at(-1));
  const isStray = CAP_KEYS.includes(key) && path.at(-2) !== 'caps';
  const rule = message.startsWith(path.join('.')) ? message.slice(path.join('.').length) : message;
  return { path, message: isStray ? ` belongs in caps: caps: { ${key}: … }` : rule };
}

/** A name that occurs twice is ambiguous. */
function repeated({ campaigns, ...others }: AccountFile): Problem[] {
  const { buyers, suppliers, funnels, automations } = others;
  const lists = [buyers, suppliers, campaigns, funnels, automations].concat(
    campaigns.flatMap((one) => [one.buyers, one.suppliers]),
  );
  return lists.flatMap((list) => {
    const seen = new Set<string>();
    return list.flatMap(({ name, path }) => {
      const isAgain = seen.has(name);
      seen.add(name);
      return isAgain ? [{ path, message: `: "${name}" is there twice.` }] : [];
    });
  });
}

const LINKS: readonly string[] = ['buyers', 'suppliers'];

function recordsOf(value: Row): AccountFile {
  const list = (from: unknown, path: Path, key = 'name'): Written[] =>
    (Array.isArray(from) ? from.filter(isRow) : []).map((row, index) => {
      const terms = Object.entries(row).filter(([one]) => one !== key && !LINKS.includes(one));
      return {
        name: String(getOwn(row, key)).trim(),
        path: [...path, index],
        terms: Object.fromEntries(terms),
      };
    });
  const campaigns = list(value.campaigns, ['campaigns']);
  const rows = Array.isArray(value.campaigns) ? value.campaigns.filter(isRow) : [];
  return {
    buyers: list(value.buyers, ['buyers']),
    suppliers: list(value.suppliers, ['suppliers']),
    funnels: list(value.funnels, ['funnels']),
    automations: list(value.automations, ['automations']),
    campaigns: campaigns.map((campaign, index) => ({
      ...campaign,
      buyers: list(rows[index]?.buyers, [...campaign.path, 'buyers'], 'buyer'),
      suppliers: list(rows[index]?.suppliers, [...campaign.path, 'suppliers'], 'supplier'),
    })),
  };
}

/** The offset of the deepest existing part: a missing value is reported at its parent. */
function offsetOf({ contents }: Document, path: Path): number {
  let offset = rangeOf(contents);
  let node: unknown = contents;
  for (const one of path) {
    if (isSeq(node) && typeof one === 'number') node = node.items[one];
    else if (isMap(node)) {
      const pair = node.items.find(({ key }) => isKey(isScalar(key) ? key.value : key, one));
      if (!pair) break;
      offset = rangeOf(pair.key) || offset;
      node = pair.value;
      continue;
    } else break;
    offset = rangeOf(node) || offset;
  }
  return offset;
}

const isKey = (key: unknown, one: string | number): boolean =>
  String(key) === String(one) || String(key) === camelCase(String(one));

const rangeOf = (node: unknown): number => {
  const range: unknown = isRow(node) ? node.range : undefined;
  return Array.isArray(range) ? Number(range[0]) : 0;
};
