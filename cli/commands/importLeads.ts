/** `leadwire leads import`: the rows of a file as leads of a supplier, from where an earlier run has stopped. */
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { csvLine } from '../../src/lib/csv/writeRow.js';
import { callServer } from '../client/call.js';
import type { Client } from '../client/client.js';
import { groupsOf, type LeadRow, type UnreadRow } from '../files/leadRows.js';
import { createProgress, grouped, type Progress } from '../files/progress.js';
import { persist } from '../files/retrying.js';
import { openSource, type Source } from '../files/source.js';
import { plainText } from '../output/cells.js';
import { isRow, rowsOf, type Row } from '../output/rows.js';
import { describeError, EXIT, UsageError, type ExitCode } from '../terminal/errors.js';
import type { Terminal } from '../terminal/terminal.js';

export interface ImportLeadsOptions {
  campaign: string;
  supplier: string;
  dryRun?: true;
  keyColumn?: string;
  importId?: string;
  test?: true;
  report?: string;
  json?: true;
  profile?: string;
}

interface Import {
  client: Client;
  signal: AbortSignal;
  input: Row;
  /** Receives each row with its result. */
  take: (rows: readonly Row[]) => Promise<void>;
  say: (text: string) => void;
}

/** Results of rows that are no lead, or may be none: they are listed. */
const FAULTY: readonly string[] = ['refused', 'rejected', 'unknown', 'again', 'unanswered'];
/** Results of rows that the same command sends once more. */
const REPEATED: readonly unknown[] = ['again', 'unanswered'];
/** Faulty rows that are listed; --report has all. */
const SHOWN_MAX = 50;

/** Exit code 1 when a row is no lead. */
export async function importLeads(
  terminal: Terminal,
  options: ImportLeadsOptions,
  path: string,
): Promise<ExitCode> {
  const source = await openSource(terminal, path);
  const input = await inputOf(options, source);
  const report = options.report === undefined ? null : await openReport(options.report);
  const progress = createProgress(terminal, 'rows');
  const tally = createTally(terminal, { progress, report, isQuiet: options.json ?? false });
  const caller = {
    profile: options.profile,
    cli: ['leads', 'import'] as const,
    isChange: !options.dryRun,
  };
  try {
    await callServer(terminal, caller, (client, { signal }) =>
      sendRows({ client, signal, input, take: (rows) => tally.take(rows), say: tally.say }, source),
    );
  } catch (error) {
    progress.clear();
    if (!options.dryRun) terminal.say(goesOn(source, input));
    throw error;
  } finally {
    progress.clear();
    await report?.close();
  }
  const { counts, repeated } = tally;
  if (options.json)
    terminal.print(
      JSON.stringify(
        { ...input, counts: Object.fromEntries(counts), repeated: repeated() },
        null,
        2,
      ),
    );
  else terminal.print(summaryOf(counts, repeated(), options));
  if (REPEATED.some((result) => counts.has(String(result))))
    terminal.say(sendsAgain(options, input));
  return FAULTY.some((result) => counts.has(result)) ? EXIT.failed : EXIT.done;
}

/** Under another name the rows would be sold a second time. */
const sendsAgain = ({ keyColumn, importId }: ImportLeadsOptions, { import_id }: Row): string => {
  const name =
    keyColumn === undefined ? `--import-id ${String(import_id)}` : `--key-column ${keyColumn}`;
  const isNamed = keyColumn !== undefined || importId !== undefined;
  const which = isNamed ? ` (with the same ${name})` : '';
  return (
    `Run the same command again${which}: rows with again or unanswered are sent once more. ` +
    'Those with unanswered may be leads already, and are not sold twice that way.'
  );
};

const goesOn = ({ size }: Source, { import_id }: Row): string =>
  'Stopped. Rows that were sent stay leads. The same command goes on from there, and sells none twice' +
  `${size === null ? `, with --import-id ${String(import_id)}` : ''}.`;

async function inputOf(options: ImportLeadsOptions, source: Source): Promise<Row> {
  const { campaign, supplier, keyColumn, test = false, dryRun = false } = options;
  return {
    campaign_id: campaign,
    supplier_id: supplier,
    import_id: await importIdOf(options, source),
    key_column: keyColumn,
    is_test: test,
    dry_run: dryRun,
  };
}

/** The same content has the same id, so the same command continues an interrupted one. */
async function importIdOf(options: ImportLeadsOptions, source: Source): Promise<string> {
  if (options.importId !== undefined) return options.importId;
  const digest = await source.digest();
  // With a key column, or in a dry run, the id does not tell rows apart.
  if (digest === null && (options.keyColumn !== undefined || options.dryRun)) return 'stdin';
  if (digest === null)
    throw new UsageError(
      'Standard input needs --import-id NAME: the same name goes on where an import was interrupted.',
    );
  return createHash('sha256').update(digest).digest('hex').slice(0, 32);
}

async function sendRows(one: Import, source: Source): Promise<void> {
  for await (const { rows, unread } of groupsOf(source.read())) {
    const faults = unread.map(refused);
    await one.take([...faults, ...(rows.length === 0 ? [] : await sendGroup(one, rows))]);
  }
}

const refused = ({ line, message }: UnreadRow): Row => ({ line, message, result: 'refused' });

/** Rows that the server had no time or no room for, or whose answer was lost, are sent again, for a while. */
const AGAIN_MAX = 20;
const AGAIN_PAUSE_MS = 1_000;

async function sendGroup(one: Import, group: readonly LeadRow[]): Promise<Row[]> {
  const { client, signal, input, say } = one;
  const done: Row[] = [];
  let rows = group;
  for (let round = 0; rows.length > 0; round += 1) {
    signal.throwIfAborted();
    const answer = await persist(() => client.run('import_leads', { ...input, rows }), {
      signal,
      say,
    });
    const reported = isRow(answer.data) ? rowsOf(answer.data.rows) : [];
    const isLast = round === AGAIN_MAX;
    const again = new Set(
      reported.filter(({ result }) => REPEATED.includes(result)).map(({ line }) => line),
    );
    done.push(...reported.filter(({ result }) => isLast || !REPEATED.includes(result)));
    rows = isLast ? [] : rows.filter(({ line }) => again.has(line));
    if (rows.length > 0) await delay(AGAIN_PAUSE_MS, undefined, { signal });
  }
  return done;
}

interface Telling {
  progress: Progress;
  report: Report | null;
  isQuiet: boolean;
}

function createTally({ say }: Pick<Terminal, 'say'>, { progress, report, isQuiet }: Telling) {
  const counts = new Map<string, number>();
  let rows = 0;
  let shown = 0;
  let repeats = 0;
  const tell = (text: string) => {
    progress.clear();
    say(text);
  };
  const show = ({ line, result, message }: Row) => {
    shown += 1;
    if (shown > SHOWN_MAX || isQuiet) return;
    tell(`  line ${plainText(line)}  ${plainText(result)}  ${plainText(message)}`);
    if (shown === SHOWN_MAX) tell('  …  --report FILE has every row');
  };
  return {
    counts,
    repeated: () => repeats,
    say: tell,
    async take(some: readonly Row[]) {
      for (const row of some.toSorted((a, b) => Number(a.line) - Number(b.line))) {
        const result = String(row.result);
        counts.set(result, (counts.get(result) ?? 0) + 1);
        if (row.repeated === true) repeats += 1;
        if (FAULTY.includes(result)) show(row);
        const cells = [row.line, result, row.lead_id, row.message].map((cell) =>
          cell == null ? '' : plainText(cell),
        );
        await report?.write(cells);
      }
      rows += some.length;
      progress.at(rows, null);
    },
  };
}

interface Report {
  write(cells: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

async function openReport(path: string): Promise<Report> {
  const refuse = (error: unknown): never => {
    throw new UsageError(`Cannot write ${path}: ${describeError(error, false)}`);
  };
  const file = await open(path, 'w', 0o600).catch(refuse);
  const report: Report = {
    write: (cells) => file.appendFile(csvLine(cells)).catch(refuse),
    close: () => file.close().catch(refuse),
  };
  await report.write(['line', 'result', 'lead_id', 'message']);
  return report;
}

function summaryOf(
  counts: ReadonlyMap<string, number>,
  repeated: number,
  { dryRun }: ImportLeadsOptions,
): string {
  const all = [...counts].map(([result, count]) => `${grouped(count)} ${result}`);
  const earlier = repeated === 0 ? '' : ` (${grouped(repeated)} of them by an earlier run)`;
  return `${all.length === 0 ? 'No rows' : all.join(', ')}${earlier}.${dryRun ? ' Nothing was stored.' : ''}`;
}
