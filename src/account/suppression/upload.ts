/** Uploading a suppression list: a CSV file of any length, read and stored as it comes. */
import type { AccountContext } from '../context.js';
import type { SuppressionListInput } from './suppressions.js';
import { readRows, type CsvRow } from '../../lib/csv/readRows.js';
import { openListWriter, type ListWriter } from './listWriter.js';
import { PROBLEMS_MAX, readRow, type BadValue, type FileReport } from './readRow.js';
import { noColumns, readHeader, readValue, type Column, type Header } from './values.js';

export interface UploadProgress extends Pick<FileReport, 'rows' | 'bad'> {
  /** Phones and emails that this upload added to the list. */
  added: number;
  already_there: number;
}

export type UploadReport = UploadProgress & FileReport;

/** Entries stored by one call: fewer than fit in the time limit of a call. */
const BATCH_SIZE = 1_000;

/**
 * Adds the phones and emails of a CSV file to a list, which is created if there is none of that name. Each applies
 * from the next lead after it was stored. After an interruption, stored entries stay; the same file may be
 * uploaded again.
 * @param source the bytes of the file; when it throws, so does this
 * @param onProgress called after each batch
 * @throws {AppError} `validation_failed` for a file without a recognized column, or as `openSuppressionList`
 * does; `not_found` when the list is removed meanwhile
 */
export async function uploadSuppressions(
  account: Omit<AccountContext, 'policy'>,
  input: SuppressionListInput,
  source: AsyncIterable<Uint8Array>,
  onProgress: (progress: UploadProgress) => void = () => undefined,
): Promise<UploadReport> {
  const progress: UploadProgress = { rows: 0, added: 0, already_there: 0, bad: 0 };
  const problems: BadValue[] = [];
  const batch = new Set<string>();
  let header: Header | null = null;
  let writer: ListWriter | null = null;

  const take = (row: CsvRow, known: readonly Column[]): void => {
    progress.rows += 1;
    const { values: md5s, bad } = readRow(row, known, readValue);
    for (const md5 of md5s) {
      if (batch.has(md5)) progress.already_there += 1;
      batch.add(md5);
    }
    progress.bad += bad.length;
    problems.push(...bad.slice(0, PROBLEMS_MAX - problems.length));
  };
  const store = async (): Promise<ListWriter> => {
    const to = (writer ??= await openListWriter(account, input));
    const added = await to.add([...batch]);
    progress.added += added;
    progress.already_there += batch.size - added;
    batch.clear();
    onProgress({ ...progress });
    return to;
  };

  try {
    for await (const rows of readRows(source)) {
      for (const row of rows) {
        if (header) take(row, header.columns);
        else header = readHeader('cells' in row ? row.cells : []);
        if (batch.size >= BATCH_SIZE) await store();
      }
    }
    if (!header) throw noColumns();
    const list = await store();
    return {
      list_id: list.listId,
      ...progress,
      entries: await list.finish(),
      problems,
      columns_read: header.read,
      columns_ignored: header.ignored,
    };
  } catch (error) {
    // Stored entries stay, and are counted if the database still answers.
    await (writer as ListWriter | null)?.finish().catch(() => undefined);
    throw error;
  }
}
