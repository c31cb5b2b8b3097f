/** Removes single people from a suppression list, by a CSV file like those that fill lists. */
import { findSuppressionList } from './suppressions.js';
import type { AccountContext } from '../context.js';
import { createSuppressionStore } from '../store/suppressions.js';
import { openCount, type EntryCount } from './entryCount.js';
import { readListFile, type FileReport } from './listFile.js';
import { readSpellings } from './values.js';

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
  const totals = { removed: 0, not_there: 0 };
  // By their first spelling, so that a value that occurs twice in a batch counts once.
  const batch = new Map<string, readonly string[]>();

  const remove = async (): Promise<EntryCount> => {
    // An interrupted removal leaves its mark on the list: the next one counts all entries.
    const counted = (count ??= await openCount(collections, list_id));
    const { removed, absent } = await entries.remove({ org_id, list_id }, [...batch.values()]);
    await counted.change(-removed);
    totals.removed += removed;
    totals.not_there += absent;
    batch.clear();
    return counted;
  };

  const file = await readListFile(source, readSpellings, async (values) => {
    for (const md5s of values) batch.set(md5s[0] ?? '', md5s);
    if (batch.size >= BATCH_SIZE) await remove();
  });
  const counted = await remove();
  return { list_id, ...file, ...totals, entries: await counted.finish() };
}
