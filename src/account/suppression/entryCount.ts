/** Adds entries to one list while the list exists. */
import { randomUUID } from 'node:crypto';
import { listNotFound, openSuppressionList, type SuppressionListInput } from './suppressions.js';
import type { AccountContext } from '../context.js';
import type { AccountCollections } from '../store/collections.js';
import { clearEntries, countEntries, createSuppressionStore } from '../store/suppressions.js';

export interface ListWriter {
  listId: string;
  /**
   * Returns how many were new to the list.
   * @throws {AppError} `not_found` when the list has been removed; then its entries are deleted
   */
  add(md5s: readonly string[]): Promise<number>;
  /** Returns the number of entries of the list. */
  finish(): Promise<number>;
}

/** Where less than this share of a batch was new, most of the next is expected to be known too. */
const REPEAT_BELOW = 0.9;

/** @throws {AppError} as `openSuppressionList` */
export async function openListWriter(
  account: Omit<AccountContext, 'policy'>,
  input: SuppressionListInput,
): Promise<ListWriter> {
  const { collections, keyring } = account;
  const { _id, org_id } = await openSuppressionList(account, input);
  const count = await openCount(collections, _id);
  const entries = createSuppressionStore(collections, keyring);
  const list = { list_id: _id, org_id };
  let isRepeat = false;
  return {
    listId: _id,
    async add(md5s) {
      const added = await entries.add(list, md5s, isRepeat);
      isRepeat = added < md5s.length * REPEAT_BELOW;
      if (await count.change(added)) return added;
      await clearEntries(collections.suppressions, _id);
      throw listNotFound(_id);
    },
    finish: () => count.finish(),
  };
}

export interface EntryCount {
  /** Adds to the count of entries, or subtracts. False when the list has been removed. */
  change(by: number): Promise<boolean>;
  /** Returns the number of entries of the list. */
  finish(): Promise<number>;
}

/** Keeps the number of a list's entries through one upload or removal of some. */
export async function openCount(
  collections: AccountCollections,
  listId: string,
): Promise<EntryCount> {
  const run = randomUUID();
  const { suppressionLists } = collections;
  const before = await suppressionLists.findOneAndUpdate(
    { _id: listId },
    { $set: { upload: run } },
    { projection: { upload: 1 } },
  );
  return {
    async change(by) {
      const { matchedCount } = await suppressionLists.updateOne(
        { _id: listId, removed_at: { $exists: false } },
        { $inc: { entries: by } },
      );
      return matchedCount > 0;
    },
    async finish() {
      const list = await suppressionLists.findOneAndUpdate(
        { _id: listId, upload: run },
        { $unset: { upload: 1 } },
        { projection: { entries: 1 } },
      );
      // No other call changed the list: the count contains what this one added or removed.
      if (list && before?.upload === undefined) return list.entries;
      // A call that was interrupted, or ran meanwhile, may have changed entries that it has not counted; of concurrent
      // calls the last one to end counts all. A count that began before another call ended may lack its changes: it is
      // kept only if its mark is still there.
      const counting = randomUUID();
      await suppressionLists.updateOne({ _id: listId }, { $set: { upload: counting } });
      const counted = await countEntries(collections.suppressions, listId);
      await suppressionLists.updateOne(
        { _id: listId, upload: counting },
        { $set: { entries: counted }, $unset: { upload: 1 } },
      );
      return counted;
    },
  };
}
