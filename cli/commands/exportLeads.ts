/** `leadwire leads export`: leads as CSV or JSON lines, as many as there are. */
import { once } from 'node:events';
import { open, rename, rm } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { callServer } from '../client/call.js';
import { download, type DownloadType } from '../client/download.js';
import { createProgress, grouped, type Progress } from '../files/progress.js';
import { persist } from '../files/retrying.js';
import { allButLastLine } from '../files/wholeLines.js';
import { parseRow } from '../output/rows.js';
import {
  CommandFailed,
  describeError,
  EXIT,
  UsageError,
  type ExitCode,
} from '../terminal/errors.js';
import type { Terminal } from '../terminal/terminal.js';

export interface ExportLeadsOptions {
  campaignId?: string;
  supplierId?: string;
  buyerId?: string;
  status?: string;
  outcome?: string;
  dateFrom?: string;
  dateTo?: string;
  createdFrom?: string;
  test?: true;
  fields?: string;
  format: 'csv' | 'jsonl';
  out?: string;
  profile?: string;
}

const TYPES: Record<ExportLeadsOptions['format'], DownloadType> = {
  csv: 'text/csv',
  jsonl: 'application/x-ndjson',
};

/** Exit code 1 when it was cut: then a file is not written, and what went to standard output is not all. */
export async function exportLeads(
  terminal: Terminal,
  options: ExportLeadsOptions,
): Promise<ExitCode> {
  const { out } = options;
  const file = out === undefined || out === '-' ? null : await openPart(out);
  const progress = createProgress(terminal, 'leads');
  const start = performance.now();
  try {
    const write = file?.write ?? toStream(terminal.host.stdout);
    const rows = await receive(terminal, options, { write, progress });
    await file?.keep();
    progress.clear();
    const seconds = ((performance.now() - start) / 1_000).toFixed(1);
    if (file || terminal.isWatched)
      terminal.say(`${grouped(rows)} leads in ${seconds} s${file ? `: ${out ?? ''}` : ''}.`);
    return EXIT.done;
  } catch (error) {
    progress.clear();
    await file?.drop();
    throw error;
  }
}

/** Takes bytes; resolves when there is room for more. */
type Write = (bytes: Uint8Array) => Promise<unknown>;

interface PartFile {
  write: Write;
  /** It is complete, and gets its name. */
  keep(): Promise<void>;
  drop(): Promise<void>;
}

/** Until it is complete a file has another name: whoever finds one by its own name has all of it. */
async function openPart(path: string): Promise<PartFile> {
  const part = `${path}.part`;
  const refuse = (error: unknown): never => {
    throw new UsageError(`Cannot write ${path}: ${describeError(error, false)}`);
  };
  // It may have contact data of people.
  const file = await open(part, 'w', 0o600).catch(refuse);
  return {
    write: (bytes) => file.appendFile(bytes).catch(refuse),
    async keep() {
      await file.close().catch(refuse);
      await rename(part, path).catch(refuse);
    },
    async drop() {
      await file.close().catch(() => undefined);
      await rm(part, { force: true });
    },
  };
}

const toStream =
  (stream: Writable): Write =>
  async (bytes) => {
    if (!stream.write(bytes)) await once(stream, 'drain');
  };

interface Place {
  write: Write;
  progress: Progress;
}

/** @returns the number of leads */
function receive(terminal: Terminal, options: ExportLeadsOptions, place: Place): Promise<number> {
  const caller = { profile: options.profile, cli: ['leads', 'export'] as const };
  const wanted = { action: 'export_leads', input: inputOf(options), type: TYPES[options.format] };
  return callServer(terminal, caller, async (_client, { signal, connection }) => {
    // Until its first byte it may be asked for again: another export of the organization may be running.
    const begun = await persist(
      async () => {
        const pieces = download(connection, { ...wanted, signal });
        return { first: await pieces.next(), pieces };
      },
      { signal, say: terminal.say },
    );
    return writeAll(begun, options.format, place);
  });
}

interface Begun {
  first: IteratorResult<Buffer>;
  pieces: AsyncGenerator<Buffer>;
}

async function writeAll(
  { first, pieces }: Begun,
  format: ExportLeadsOptions['format'],
  { write, progress }: Place,
): Promise<number> {
  const all = (async function* () {
    if (!first.done) yield first.value;
    yield* pieces;
  })();
  // The header of a CSV file is no lead.
  const ahead = format === 'csv' ? 1 : 0;
  const lines = allButLastLine(all);
  let next = await lines.next();
  for (; !next.done; next = await lines.next()) {
    await write(next.value.bytes);
    progress.at(next.value.lines - ahead, null);
  }
  const rows = rowsAtEnd(next.value, format);
  if (rows !== null) return rows;
  throw new CommandFailed(
    'The export was cut: its last line is missing. What was written is not all.',
    EXIT.failed,
    'Run it again, or ask for fewer days: --date-from, --date-to',
  );
}

/** The number of rows that the last line states; null where it is none of a complete export. */
function rowsAtEnd(line: string, format: ExportLeadsOptions['format']): number | null {
  if (format === 'csv') {
    const count = /^#end ([0-9]+),*$/.exec(line)?.[1];
    return count === undefined ? null : Number(count);
  }
  const row = parseRow(line);
  return row?.end === true && typeof row.rows === 'number' ? row.rows : null;
}

function inputOf(options: ExportLeadsOptions): Record<string, unknown> {
  const { campaignId, supplierId, buyerId, status, outcome, fields } = options;
  const names = fields?.split(',').map((name) => name.trim());
  return {
    campaign_id: campaignId,
    supplier_id: supplierId,
    buyer_id: buyerId,
    status,
    outcome,
    date_from: options.dateFrom,
    date_to: options.dateTo,
    created_from: options.createdFrom,
    is_test: options.test ?? false,
    fields: names?.filter((name) => name !== ''),
  };
}
