/** Runs an action for the command line: reads the input, asks for confirmation, calls, shows the answer. */
import { callServer } from '../client/call.js';
import type { Answer, Client } from '../client/client.js';
import { EXIT, UsageError, type ExitCode } from '../terminal/errors.js';
import { isRow, pageOf } from '../output/rows.js';
import { readShown, rowSink, showRecord, type RowSink, type ShowOptions } from '../output/show.js';
import type { Terminal } from '../terminal/terminal.js';
import { checkInput } from './checkInput.js';
import { confirm, type Consent } from './confirm.js';
import { asksServer, fileKey, flagName, type CommandEntry } from './manifest.js';
import { exposedSecrets, readInput, type Typed } from './readFlags.js';

export interface ActionOptions extends ShowOptions, Consent {
  profile?: string;
  dryRun?: true;
  /** Every page. */
  all?: true;
}

export async function runAction(
  terminal: Terminal,
  entry: CommandEntry,
  typed: Typed,
  options: ActionOptions,
): Promise<ExitCode> {
  const shown = readShown(entry, options);
  const input = await readInput(entry, typed, () => terminal.keyboard.readAll());
  for (const flag of exposedSecrets(entry, typed)) {
    const [name, file] = [flagName(flag.key), flagName(fileKey(flag))];
    terminal.say(
      `${terminal.sayPaint.yellow('Warning:')} ${name} puts a secret on the command line, where others on this machine and ` +
        `the history of the shell keep it. Give it by ${file} FILE, or ${file} - for standard input.`,
    );
  }
  if (options.dryRun && !asksServer(entry)) {
    const { dryRun } = await import('./dryRun.js');
    await dryRun(terminal, entry, input, options);
    return EXIT.done;
  }
  const { cli, flags, effect } = entry;
  const caller = { profile: options.profile, cli, flags, isChange: effect !== 'read' };
  const show = await callServer(terminal, caller, async (client, { connection }) => {
    // A person is not asked about a request that would be refused.
    if (effect === 'destroy' && !options.yes) await checkInput(entry, input, connection);
    await confirm(terminal, { entry, input, client }, options);
    if (entry.rows === null) {
      const { data } = await client.run(entry.name, input);
      return () => showRecord(terminal, data, shown, entry.name);
    }
    const sink = rowSink(terminal, entry, shown);
    const taken = await takePages(client, entry, limitsOf(entry, input, options), sink);
    return async () => {
      await sink.end();
      report(taken, entry, terminal);
    };
  });
  // From here Ctrl-C belongs to the pager.
  await show();
  return EXIT.done;
}

interface Taken {
  count: number;
  /** Where the rest begins; null: there is none. */
  next: string | null;
  /** What the server says beside the rows. */
  notes: string[];
}

/** Page by page, as many rows as were requested. */
async function takePages(
  client: Client,
  entry: CommandEntry,
  { input, most, size }: Limits,
  sink: RowSink,
): Promise<Taken> {
  const taken: Taken = { count: 0, next: null, notes: [] };
  do {
    const limit = size === undefined ? input.limit : Math.min(size, most - taken.count);
    const cursor = taken.next ?? input.cursor;
    const answer = await client.run(entry.name, { ...input, limit, cursor });
    const page = pageOf(entry, answer);
    taken.notes.push(...notesOf(answer));
    sink.take(page.rows);
    taken.count += page.rows.length;
    taken.next = page.next;
  } while (taken.next !== null && taken.count < most);
  return taken;
}

const notesOf = ({ data }: Pick<Answer, 'data'>): string[] =>
  isRow(data) && Array.isArray(data.notes) ? data.notes.map(String) : [];

/** Rows that are left are always reported. */
function report(
  { count, next, notes }: Taken,
  { cli }: CommandEntry,
  { say, isWatched }: Terminal,
): void {
  for (const note of notes) say(note);
  if (next !== null) {
    say(`Showing ${count}, and there are more: --all, --limit N, or --cursor ${next}`);
  } else if (count === 0 && isWatched) {
    say(`There are none (leadwire ${cli.join(' ')}).`);
  }
}

interface Limits {
  input: Record<string, unknown>;
  /** Rows in total. */
  most: number;
  /** Rows per page; absent: the server decides. */
  size?: number;
}

/** A limit above the server's takes several pages. */
function limitsOf(
  { paged, flags }: CommandEntry,
  input: Record<string, unknown>,
  { all }: ActionOptions,
): Limits {
  if (!paged) return { input, most: 0 };
  const flag = flags.find(({ key }) => key === 'limit');
  const limit = input.limit;
  if (all && limit !== undefined) throw new UsageError('--all and --limit exclude each other.');
  if (all) return { input, most: Infinity, size: flag?.maximum };
  if (typeof limit !== 'number' || limit < 1) return { input, most: 0 };
  return { input, most: limit, size: flag?.maximum };
}
