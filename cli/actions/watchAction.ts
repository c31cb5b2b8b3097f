/** `--watch`: a list that is drawn again and again in its place; for other programs the rows that are new or changed. */
import { followServer } from '../client/call.js';
import type { Client } from '../client/client.js';
import { viewFor } from '../client/view.js';
import { follow } from '../feeds/follow.js';
import { redrawing } from '../feeds/redraw.js';
import { columnsOf } from '../output/columns.js';
import { pick } from '../output/formats.js';
import { shortInstant, zoneText } from '../output/look.js';
import { isRow, type Row } from '../output/rows.js';
import { isForPeople, narrowNote, tabLineOf, type Shown } from '../output/show.js';
import { formatRows } from '../output/table.js';
import { withIds } from '../references/references.js';
import { EXIT, UsageError, type ExitCode } from '../terminal/errors.js';
import type { Terminal } from '../terminal/terminal.js';
import type { CommandEntry } from './manifest.js';
import { limitsOf, takePages, type Limits, type Paging, type Taken } from './pages.js';
import { callerOf, type TypedAction } from './typedAction.js';

interface WatchOptions extends Paging {
  profile?: string;
  /** Seconds between two looks. */
  watch: number;
}

/** One look at a list. */
interface Look extends Taken {
  rows: unknown[];
}

/**
 * Ctrl-C, SIGTERM and a reader that closes the output end it in order, with the exit code 0.
 * @throws {UsageError} for a format that is complete only at its end
 */
export async function watchAction(
  terminal: Terminal,
  { entry, input, references, shown }: TypedAction,
  options: WatchOptions,
): Promise<ExitCode> {
  refuseWhole(shown, options);
  // A wrong limit is refused before anything is requested.
  limitsOf(entry, input, options);
  const isTable = isForPeople(terminal, shown);
  await followServer(terminal, callerOf(entry, options), async (client, { signal, connection }) => {
    const lookup = { client, connection, environment: terminal.environment };
    const whole = await withIds(lookup, input, references);
    const next = () => lookAt(client, entry, limitsOf(entry, whole, options));
    const { draw, say } = redrawing(terminal);
    const show = isTable
      ? async (look: Look) => draw(await frameOf(terminal, client, { entry, look, options }))
      : changedRows(terminal, entry, shown);
    await follow({ next }, { signal, say, everyMs: options.watch * 1_000, show });
  });
  return EXIT.done;
}

/** Documents that are complete only at their end never are, where there is none. */
function refuseWhole({ json, jq, csv }: Shown, { all }: Paging): void {
  const given = { '--json': json, '--jq': jq, '--csv': csv, '--all': all };
  const [flag] = Object.entries(given).find(([, value]) => value !== undefined) ?? [];
  if (flag === undefined) return;
  throw new UsageError(
    flag === '--all'
      ? '--all and --watch exclude each other: --limit N watches more rows.'
      : `${flag} and --watch exclude each other: --jsonl prints each new or changed row as JSON.`,
  );
}

async function lookAt(client: Client, entry: CommandEntry, limits: Limits): Promise<Look> {
  const rows: unknown[] = [];
  const taken = await takePages(client, entry, limits, { take: (page) => void rows.push(...page) });
  return { ...taken, rows };
}

interface Framed {
  entry: CommandEntry;
  look: Look;
  options: WatchOptions;
}

/** What a person sees of a look: when it was, the table, and what is not in it. */
async function frameOf(
  terminal: Terminal,
  client: Client,
  { entry, look, options }: Framed,
): Promise<(width: number) => string[]> {
  const { rows, next, notes: ofServer } = look;
  const seen = await viewFor(terminal, client, rows);
  // Its moment is now, not that of the first look: of a day that has ended since, the times get their day.
  const now = Date.now();
  const { paint } = terminal;
  return (width) => {
    const view = { ...seen, width, look: { ...seen.look, now } };
    const { text, left } = formatRows(rows, columnsOf(entry, rows), view);
    const time = shortInstant(new Date(now).toISOString(), view.look);
    const notes = [
      ...ofServer,
      ...(next === null ? [] : [`There are more than these ${rows.length}: --limit N`]),
      ...(left.length === 0 ? [] : [narrowNote(left)]),
    ];
    return [
      paint.dim(
        `leadwire ${entry.cli.join(' ')}, ${time} ${zoneText(view.look.zone)}, every ${options.watch} s`,
      ),
      ...(rows.length === 0 ? ['There are none.'] : text.split('\n')),
      ...notes.map((note) => paint.dim(note)),
    ];
  };
}

/** Prints the rows that are new, or not as they were at the look before. */
function changedRows(
  terminal: Terminal,
  entry: CommandEntry,
  { jsonl, fields }: Shown,
): (look: Look) => void {
  const lineOf = jsonl ? (row: unknown) => JSON.stringify(pick(row, fields)) : tabLineOf(entry);
  let before = new Map<string, string>();
  return ({ rows }) => {
    const lines = rows.map((row) => [nameOf(row), lineOf(row)] as const);
    for (const [name, line] of lines) if (before.get(name) !== line) terminal.print(line);
    before = new Map(lines);
  };
}

/** What makes a row the same one at the next look. */
function nameOf(row: unknown): string {
  const { id, ping_id, label, name }: Row = isRow(row) ? row : {};
  const known = id ?? ping_id ?? label ?? name;
  return typeof known === 'string' ? known : JSON.stringify(row);
}
