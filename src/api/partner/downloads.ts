/** Lists as CSV: streamed, bounded, recorded, and few enough at once that one partner does not make others wait. */
import { Readable } from 'node:stream';
import { AppError } from '../../lib/errors.js';
import type { Log } from '../../lib/log.js';
import type { RecordRead } from '../calls/readAudit.js';
import { enterCall } from '../calls/runCall.js';
import type { FileRows, PartnerContext, PartnerFile } from './call.js';
import { csvLine } from '../../lib/csv/writeRow.js';
import { endStalled, following } from '../calls/fileStream.js';
import { inputRefused } from './refusals.js';

export interface Download {
  headers: Record<string, string>;
  body: Readable;
}

/** In one process; each holds a cursor of the database. */
const AT_ONCE = 4;
/** Maximum rows of a file: after them the file states that it was cut. */
const FILE_ROWS_MAX = 200_000;
/** A download that its client has not read for this long is ended, in milliseconds. */
const STALLED_MS = 30_000;
const RETRY_SECONDS = 10;

export function createDownloads(
  { recordRead, log }: { recordRead: RecordRead; log: Log },
  { stalledMs = STALLED_MS, rowsMax = FILE_ROWS_MAX } = {},
) {
  /** The partners with a download under way. */
  const running = new Set<string>();
  const take = ({ org_id, party_id }: PartnerContext): (() => void) => {
    const whose = `${org_id}:${party_id}`;
    if (running.has(whose)) throw busy('Another download of your team is running.');
    if (running.size >= AT_ONCE) throw busy('Too many downloads are running.');
    running.add(whose);
    return () => running.delete(whose);
  };
  return {
    /**
     * Reads the first rows before it answers, so that a fault becomes an ordinary refusal.
     * @throws {AppError} `rate_limited` while the partner has a download, or the process has its maximum
     */
    async begin(
      file: PartnerFile,
      params: URLSearchParams,
      context: PartnerContext,
    ): Promise<Download> {
      const given = () => Promise.resolve(Object.fromEntries(params));
      const { input, entry, kept } = await enterCall(file, context.caller, given);
      const release = take(context);
      try {
        const rows = await file.rows(input, context).catch(inputRefused);
        const lines = linesOf(rows, rowsMax);
        const first = await lines.next();
        await recordRead(entry, kept, context);
        const body = Readable.from(following(first, lines), { objectMode: false });
        endStalled(body, stalledMs, () => {
          release();
          log.info({ file: file.name }, 'a download that was not read was ended');
        });
        body.once('close', release);
        return { headers: headersOf(file.name), body };
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

/** The byte order mark of UTF-8 comes first: spreadsheets need it to read names correctly. */
const MARK = '\uFEFF';

async function* linesOf({ head, batches }: FileRows, rowsMax: number): AsyncGenerator<string> {
  let left = rowsMax;
  let text = MARK + csvLine(head);
  for await (const batch of batches) {
    const some = batch.slice(0, left);
    left -= some.length;
    text += some.map(csvLine).join('');
    yield text;
    text = '';
    if (left === 0) {
      yield csvLine([`Cut after ${rowsMax} rows: ask for fewer days.`]);
      return;
    }
  }
  if (text !== '') yield text;
}

const headersOf = (name: string): Record<string, string> => ({
  'content-type': 'text/csv; charset=utf-8',
  'content-disposition': `attachment; filename="${name}"`,
  'cache-control': 'no-store',
});
