/** Uploading a suppression list: a CSV file of any length, read and stored as it comes. */
import type { AccountContext } from '../context.js';
import { clearEntries, createSuppressionStore } from '../store/suppressions.js';
import { openCount } from './entryCount.js';
import { readListFile, type FileReport } from './listFile.js';
import { listNotFound, openSuppressionList, type SuppressionListInput } from './suppressions.js';
import { readValue } from './values.js';

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
export const uploadSuppressions = (
  account: Omit<AccountContext, 'policy'>,
  input: SuppressionListInput,
  source: AsyncIterable<Uint8Array>,
  onProgress?: (progress: UploadProgress) => void,
): Promise<UploadReport> => storeFile(() => openListWriter(account, input), source, onProgress);

/** Adds entries to one list. */
export interface ListWriter {
  listId: string;
  /** Returns how many were new. @throws {AppError} `not_found` when the list has been removed; its entries are deleted */
  add(md5s: readonly string[]): Promise<number>;
  /** Returns the number of entries of the list. */
  finish(): Promise<number>;
}

/**
 * Reads a file into a list.
 * @param open called when the first values have been read
 * @throws {AppError} `validation_failed` for a file without a recognized column, and the refusals of the writer
 */
export async function storeFile(
  open: () => Promise<ListWriter>,
  source: AsyncIterable<Uint8Array>,
  onProgress: (progress: UploadProgress) => void = () => undefined,
): Promise<UploadReport> {
  const totals = { added: 0, already_there: 0 };
  const batch = new Set<string>();
  let writer: ListWriter | null = null;

  const store = async (counts: Pick<FileReport, 'rows' | 'bad'>): Promise<ListWriter> => {
    const to = (writer ??= await open());
    const added = await to.add([...batch]);
    totals.added += added;
    totals.already_there += batch.size - added;
    batch.clear();
    onProgress({ rows: counts.rows, ...totals, bad: counts.bad });
    return to;
  };

  try {
    const file = await readListFile(source, readValue, async (md5s, counts) => {
      for (const md5 of md5s) {
        if (batch.has(md5)) totals.already_there += 1;
        batch.add(md5);
      }
      if (batch.size >= BATCH_SIZE) await store(counts);
    });
    const list = await store(file);
    return { list_id: list.listId, ...file, ...totals, entries: await list.finish() };
  } catch (error) {
    // Stored entries stay, and are counted if the database still answers.
    await (writer as ListWriter | null)?.finish().catch(() => undefined);
    throw error;
  }
}

/** Where less than this share of a batch was new, most of the next is expected to be known too. */
const REPEAT_BELOW = 0.9;

/** Adds entries to one list while the list exists. @throws {AppError} as `openSuppressionList` */
async function openListWriter(
  account: Omit<AccountContext, 'policy'>,
  input: SuppressionListInput,
): Promise<ListWriter> {
  const { collections, keyring } = account;
  const { _id, org_id } = await openSuppressionList(account, input);
  const count = await openCount(collections, _id);
  const entries = createSuppressionStore(collections, keyring);
  let isRepeat = false;
  return {
    listId: _id,
    async add(md5s) {
      const added = await entries.add({ list_id: _id, org_id }, md5s, isRepeat);
      isRepeat = added < md5s.length * REPEAT_BELOW;
      if (await count.change(added)) return added;
      await clearEntries(collections.suppressions, _id);
      throw listNotFound(_id);
    },
    finish: () => count.finish(),
  };
}
