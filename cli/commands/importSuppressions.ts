/** `leadwire suppressions import`: a file of any length into a suppression list, from where an earlier run has stopped. */
import { createHash } from 'node:crypto';
import type { Client } from '../client/client.js';
import { callServer } from '../client/call.js';
import { chunksOf } from '../files/chunks.js';
import { createProgress, grouped, type Progress } from '../files/progress.js';
import { persist } from '../files/retrying.js';
import { openSource, type Source } from '../files/source.js';
import { getOwn } from '../../src/lib/getOwn.js';
import { isRow, type Row } from '../output/rows.js';
import { EXIT, UsageError, type ExitCode } from '../terminal/errors.js';
import type { Terminal } from '../terminal/terminal.js';

export interface ImportListOptions {
  name: string;
  campaignId?: string;
  buyerId?: string;
  replace?: true;
  importId?: string;
  again?: true;
  json?: true;
  profile?: string;
}

/** Problems that are listed; the others are counted. */
const SHOWN_MAX = 20;

interface Import {
  client: Client;
  signal: AbortSignal;
  source: Source;
  progress: Progress;
  /** What every call of the import has. */
  input: Row & { import_id: string };
}

/** Exit code 1 when some values could not be read: the others are on the list. */
export async function importSuppressions(
  terminal: Terminal,
  options: ImportListOptions,
  path: string,
): Promise<ExitCode> {
  const source = await openSource(terminal, path);
  const input = { ...listOf(options), import_id: await importIdOf(options, source) };
  const caller = {
    profile: options.profile,
    cli: ['suppressions', 'import'] as const,
    isChange: true,
  };
  const progress = createProgress(terminal, 'rows');
  const done = await callServer(terminal, caller, (client, { signal }) =>
    sendFile({ client, signal, source, progress, input }, terminal).catch((error: unknown) => {
      progress.clear();
      terminal.say(
        `Stopped. What is stored stays${options.replace ? ' aside, and the old list in force' : ' on the list'}. ` +
          `The same command goes on from there${source.size === null ? ` with --import-id ${input.import_id}` : ''}.`,
      );
      throw error;
    }),
  );
  show(terminal, done, options);
  return Number(done.answer.bad) > 0 ? EXIT.failed : EXIT.done;
}

interface Done {
  answer: Row;
  problems: Row[];
  /** Rows that earlier runs had stored. */
  before: number;
  seconds: number;
}

async function sendFile(one: Import, { say }: Pick<Terminal, 'say'>): Promise<Done> {
  const { client, signal, source, progress, input } = one;
  const start = performance.now();
  const call = async (more: Row): Promise<Row> => {
    signal.throwIfAborted();
    const { data } = await persist(() => client.run('import_suppressions', { ...input, ...more }), {
      signal,
      say(text) {
        progress.clear();
        say(text);
      },
    });
    return isRow(data) ? data : {};
  };
  let answer = await call({});
  const before = Number(answer.rows);
  if (answer.state === 'done') {
    say('This file was imported into the list earlier. To import it once more: --again');
    return { answer, problems: [], before, seconds: 0 };
  }
  if (Number(answer.next_chunk) > 0) say(`Going on after ${grouped(before)} rows.`);
  const problems: Row[] = [];
  let chunks = 0;
  for await (const { number, csv, firstLine, bytes } of chunksOf(source.read())) {
    chunks = number + 1;
    if (number < Number(answer.next_chunk)) continue;
    answer = await call({ chunk: number, csv, first_line: firstLine });
    if (Array.isArray(answer.problems) && problems.length < SHOWN_MAX)
      problems.push(...answer.problems.filter(isRow));
    progress.at(Number(answer.rows), source.size ? bytes / source.size : null);
  }
  if (chunks === 0) throw new UsageError('The file is empty.');
  answer = await call({ chunk: chunks, finish: true });
  progress.clear();
  return { answer, problems, before, seconds: (performance.now() - start) / 1_000 };
}

function listOf({ name, campaignId, buyerId, ...options }: ImportListOptions): Row {
  const replace = options.replace === true;
  if (campaignId !== undefined && buyerId !== undefined)
    throw new UsageError('--campaign-id and --buyer-id exclude each other.');
  if (campaignId !== undefined)
    return { name, replace, scope: 'campaign', campaign_id: campaignId };
  if (buyerId !== undefined) return { name, replace, scope: 'buyer', buyer_id: buyerId };
  return { name, replace, scope: 'organisation' };
}

/** The same file for the same list has the same id, so the same command continues an interrupted one. */
async function importIdOf(options: ImportListOptions, source: Source): Promise<string> {
  if (options.importId !== undefined) return options.importId;
  const digest = await source.digest();
  if (digest === null) {
    throw new UsageError(
      'Standard input needs --import-id NAME: the same name goes on where an import was interrupted.',
    );
  }
  const list = JSON.stringify([listOf(options), options.again ? Date.now() : 0]);
  return createHash('sha256').update(digest).update(list).digest('hex').slice(0, 32);
}

function show(
  terminal: Terminal,
  { answer, problems, before, seconds }: Done,
  { json }: ImportListOptions,
) {
  if (json) {
    terminal.print(JSON.stringify({ ...answer, problems: problems.slice(0, SHOWN_MAX) }, null, 2));
    return;
  }
  const count = (key: string) => grouped(Number(getOwn(answer, key)));
  const rate =
    seconds === 0
      ? null
      : grouped(Math.round((Number(answer.rows) - before) / Math.max(seconds, 0.001)));
  terminal.print(
    `${count('rows')} rows: ${count('added')} added, ${count('already_there')} already there, ${count('bad')} bad. ` +
      `The list has ${count('entries')} entries.`,
  );
  const pace = rate === null ? '' : `, ${seconds.toFixed(1)} s, ${rate} rows a second`;
  terminal.say(`List ${String(answer.list_id)}${pace}.`);
  for (const { line, column, rule, value } of problems.slice(0, SHOWN_MAX))
    terminal.say(
      `  line ${String(line)}: ${String(rule)}${column === null ? '' : ` (${String(value)})`}`,
    );
  if (Number(answer.bad) > SHOWN_MAX) terminal.say('  …');
}
