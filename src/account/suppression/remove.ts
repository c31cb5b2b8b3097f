/** Removes single people from a suppression list, by a CSV file like those that fill lists. */
import { findSuppressionList } from './suppressions.js';
import type { AccountContext } from '../context.js';
import { createSuppressionStore } from '../store/suppressions.js';
import { readRows } from '../../lib/csv/readRows.js';
import { openCount, type EntryCount } from './listWriter.js';
import { PROBLEMS_MAX, readRow, type BadValue, type FileReport } from './readRow.js';
import { noColumns, readHeader, readSpellings, type Header } from './values.js';

export interface RemovalReport extends FileReport {
  /** Phones and emails that were on the list and no longer are. */
  removed: number;
  /** Values that were not on it. */
  not_there: number;
}

/** Values looked up by one call. */
const BATCH_SIZE = 1_000;

/**
 * Removes the phones and emails of a CSV file from a list. A phone is removed in every form in which it may have been
 * hashed: from the next lead on, this list no longer refuses its person. After an interruption the same file may be
 * given again.
 * @throws {AppError} `not_found` when the organization has no such list; `validation_failed` for a file without a
 * recognized column, before anything is removed
 */
export async function removeFromList(
  account: Pick<AccountContext, 'collections' | 'orgId' | 'keyring'>,
  list_id: string,
  source: AsyncIterable<Uint8Array>,
): Promise<RemovalReport> {
  const { collections, orgId: org_id, keyring } = account;
  await findSuppressionList(account, list_id);
  const entries = createSuppressionStore(collections, keyring);
  let count: EntryCount | null = null;
  const totals = { rows: 0, removed: 0, not_there: 0, bad: 0 };
  const problems: BadValue[] = [];
  // By their first spelling, so that a value that occurs twice in a batch counts once.
  const batch = new Map<string, readonly string[]>();
  let header: Header | null = null;

  const take = async (): Promise<EntryCount> => {
    // An interrupted removal leaves its mark on the list: the next one counts all entries.
    const counted = (count ??= await openCount(collections, list_id));
    const { removed, absent } = await entries.remove({ org_id, list_id }, [...batch.values()]);
    await counted.change(-removed);
    totals.removed += removed;
    totals.not_there += absent;
    batch.clear();
    return counted;
  };

  for await (const rows of readRows(source)) {
    for (const row of rows) {
      if (!header) {
        header = readHeader('cells' in row ? row.cells : []);
        continue;
      }
      const { values, bad } = readRow(row, header.columns, readSpellings);
      for (const md5s of values) batch.set(md5s[0] ?? '', md5s);
      totals.rows += 1;
      totals.bad += bad.length;
      problems.push(...bad.slice(0, PROBLEMS_MAX - problems.length));
      if (batch.size >= BATCH_SIZE) await take();
    }
  }
  if (!header) throw noColumns();
  const counted = await take();
  return {
    list_id,
    ...totals,
    entries: await counted.finish(),
    problems,
    columns_read: header.read,
    columns_ignored: header.ignored,
  };
}
