/** Runs an action for the command line: reads the input, asks for confirmation, calls, shows the answer. */
import { clientFor, type Client } from '../client/client.js';
import { requireConnection } from '../client/connection.js';
import { explain } from '../client/hints.js';
import { withInterrupt } from '../client/interrupt.js';
import { EXIT, UsageError, type ExitCode } from '../terminal/errors.js';
import { pageOf } from '../output/rows.js';
import { readFields, rowSink, showRecord, type ShowOptions } from '../output/show.js';
import type { Terminal } from '../terminal/terminal.js';
import { confirm, type Consent } from './confirm.js';
import { fileKey, flagName, type CommandEntry } from './manifest.js';
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
  const fields = readFields(entry, options);
  const input = await readInput(entry, typed, () => terminal.keyboard.readAll());
  for (const flag of exposedSecrets(entry, typed)) {
    const [name, file] = [flagName(flag.key), flagName(fileKey(flag))];
    terminal.say(
      `${terminal.sayPaint.yellow('Warning:')} ${name} puts a secret on the command line, where others on this machine and ` +
        `the history of the shell keep it. Give it by ${file} FILE, or ${file} - for standard input.`,
    );
  }
  if (options.dryRun) {
    const { dryRun } = await import('./dryRun.js');
    await dryRun(terminal, entry, input, options);
    return EXIT.done;
  }
  const connection = requireConnection(terminal.environment, options.profile);
  try {
    const show = await withInterrupt(
      terminal,
      { isChange: entry.effect !== 'read' },
      async (signal) => {
        const client = clientFor(terminal, connection, signal);
        await confirm(terminal, entry, input, options, client);
        if (entry.rows !== null) return takePages(terminal, entry, input, options, fields, client);
        const { data } = await client.run(entry.name, input);
        return () => showRecord(terminal, data, options, fields, entry.name);
      },
    );
    // From here Ctrl-C belongs to the pager.
    await show();
    return EXIT.done;
  } catch (error) {
    throw explain(error, entry, connection);
  }
}

/**
 * Page by page, as many rows as were requested. Rows that are left are always reported.
 * @returns the command that shows the rest
 */
async function takePages(
  terminal: Terminal,
  entry: CommandEntry,
  input: Record<string, unknown>,
  options: ActionOptions,
  fields: string[] | null,
  client: Client,
): Promise<() => Promise<void>> {
  const sink = rowSink(terminal, entry, options, fields);
  const { most, size } = limitsOf(entry, input, options);
  let cursor: unknown = input.cursor;
  let shown = 0;
  let next: string | null;
  do {
    const page = await client.run(entry.name, {
      ...input,
      ...(size === undefined ? {} : { limit: Math.min(size, most - shown) }),
      ...(cursor === undefined ? {} : { cursor }),
    });
    const found = pageOf(entry, page);
    sink.take(found.rows);
    shown += found.rows.length;
    ({ next } = found);
    cursor = next;
  } while (next !== null && shown < most);
  return async () => {
    await sink.end();
    if (next !== null) {
      terminal.say(`Showing ${shown}, and there are more: --all, --limit N, or --cursor ${next}`);
    } else if (shown === 0 && terminal.isWatched) {
      terminal.say(`There are none (leadwire ${entry.cli.join(' ')}).`);
    }
  };
}

/** Rows in total, and rows per page; a limit above the server's takes several pages. */
function limitsOf(
  { paged, flags }: CommandEntry,
  input: Record<string, unknown>,
  { all }: ActionOptions,
): { most: number; size: number | undefined } {
  if (!paged) return { most: 0, size: undefined };
  const flag = flags.find(({ key }) => key === 'limit');
  const limit = input.limit;
  if (all && limit !== undefined) throw new UsageError('--all and --limit exclude each other.');
  if (all) return { most: Infinity, size: flag?.maximum };
  if (typeof limit !== 'number' || limit < 1) return { most: 0, size: undefined };
  return { most: limit, size: flag?.maximum };
}
