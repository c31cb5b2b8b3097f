/**
 * Lists as files: streamed in bounded memory, recorded, few at once, and told apart from a file that was cut by its last
 * line, which states how many rows there are.
 */
import { Readable } from 'node:stream';
import { AppError } from '../../lib/errors.js';
import { csvRow, type CsvCell } from '../../lib/csv/writeRow.js';
import { showsPeople } from '../actions/exits.js';
import { seesNoPeople } from './caller.js';
import type { CallContext, Definition, ListFile, Paged, ReadBody } from './definition.js';
import { endStalled, following } from './fileStream.js';
import type { RecordRead } from './readAudit.js';
import { enterCall, refused } from './runCall.js';

export const FILE_TYPES = ['text/csv', 'application/x-ndjson'] as const;
export type FileType = (typeof FILE_TYPES)[number];

export interface FileAnswer {
  headers: Record<string, string>;
  body: Readable;
}

/** A call with a file. */
type Filed<C> = Definition & Pick<Paged<Definition['input'], never, C>, 'file'>;

/** In one process. */
const AT_ONCE = 4;
/** A file that its client has not read for this long is ended, in milliseconds: a person may look at its beginning. */
const STALLED_MS = 120_000;
const RETRY_SECONDS = 10;

export type ListFiles = ReturnType<typeof createListFiles>;

export function createListFiles(
  { recordRead }: { recordRead: RecordRead },
  { stalledMs = STALLED_MS } = {},
) {
  /** The organizations with a file under way. */
  const running = new Set<string>();
  const take = (orgId: string): (() => void) => {
    if (running.has(orgId)) throw busy('Another export of this organization is running.');
    if (running.size >= AT_ONCE) throw busy('Too many exports are running.');
    running.add(orgId);
    return () => running.delete(orgId);
  };
  return {
    /**
     * Reads the first rows before it answers, so that a fault becomes an ordinary refusal.
     * @throws {AppError} as `runCall`; `rate_limited` while the organization has an export, or the process has its maximum
     */
    async begin<C extends CallContext>(
      call: Filed<C>,
      context: C,
      body: ReadBody,
      type: FileType,
    ): Promise<FileAnswer> {
      const { caller } = context;
      const { input, exits, entry, kept } = await enterCall(call, caller, body);
      const release = take(caller.org_id);
      try {
        const file = await call
          .file?.(input, context)
          .catch((error: unknown) => refused(error, call, caller));
        if (!file) throw new Error(`${call.name} has no file.`);
        const lines = (type === 'text/csv' ? csvOf : jsonLinesOf)(file);
        const first = await lines.next().catch((error: unknown) => refused(error, call, caller));
        if (showsPeople(exits, seesNoPeople(caller))) await recordRead(entry, kept, context);
        const stream = Readable.from(following(first, lines), { objectMode: false });
        endStalled(stream, stalledMs, release);
        stream.once('close', release);
        return { headers: headersOf(call.name, type), body: stream };
      } catch (error) {
        release();
        throw error;
      }
    },
  };
}

const busy = (what: string): AppError =>
  new AppError('rate_limited', `${what} Try again in ${RETRY_SECONDS} s.`, {
    retry_after: RETRY_SECONDS,
  });

/** The first cell of the last line; the number of rows follows it. No id of a record begins so. */
export const END_MARK = '#end';

/** Phones are written as they are: programs read the file, and a spreadsheet makes numbers of them. */
const csvLine = (cells: readonly CsvCell[]): string =>
  `${csvRow(cells, { hasPlainNumbers: true })}\r\n`;

async function* csvOf({ columns, batches }: ListFile): AsyncGenerator<string> {
  let count = 0;
  let text = csvLine(columns);
  for await (const batch of batches) {
    count += batch.length;
    yield text + batch.map((cells) => csvLine(cells)).join('');
    text = '';
  }
  const empty = columns.slice(1).map(() => '');
  yield text + csvLine([`${END_MARK} ${count}`, ...empty]);
}

async function* jsonLinesOf({ columns, batches }: ListFile): AsyncGenerator<string> {
  let count = 0;
  for await (const batch of batches) {
    count += batch.length;
    yield batch.map((cells) => jsonLine(columns, cells)).join('');
  }
  yield `${JSON.stringify({ end: true, rows: count })}\n`;
}

const jsonLine = (columns: readonly string[], cells: readonly CsvCell[]): string =>
  `${JSON.stringify(Object.fromEntries(columns.map((name, at) => [name, cells[at] ?? null])))}\n`;

const headersOf = (name: string, type: FileType): Record<string, string> => ({
  'content-type': `${type}; charset=utf-8`,
  'content-disposition': `attachment; filename="${name}.${type === 'text/csv' ? 'csv' : 'jsonl'}"`,
  'cache-control': 'no-store',
});
