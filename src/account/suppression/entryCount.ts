/** The number of entries of a list. */
import { randomUUID } from 'node:crypto';
import type { AccountCollections } from '../store/collections.js';
import { countEntries } from '../store/suppressions.js';

export type EntryCount = Awaited<ReturnType<typeof openCount>>;

/** Keeps the number of a list's entries through one upload or removal of some. */
export async function openCount(
  { suppressionLists, suppressions }: AccountCollections,
  listId: string,
) {
  const run = randomUUID();
  const before = await suppressionLists.findOneAndUpdate(
    { _id: listId },
    { $set: { upload: run } },
    { projection: { upload: 1 } },
  );
  return {
    /** Adds to the count of entries, or subtracts. False when the list has been removed. */
    async change(by: number): Promise<boolean> {
      const { matchedCount } = await suppressionLists.updateOne(
        { _id: listId, removed_at: { $exists: false } },
        { $inc: { entries: by } },
      );
      return matchedCount > 0;
    },
    /** Returns the number of entries of the list. */
    async finish(): Promise<number> {
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
      const counted = await countEntries(suppressions, listId);
      await suppressionLists.updateOne(
        { _id: listId, upload: counting },
        { $set: { entries: counted }, $unset: { upload: 1 } },
      );
      return counted;
    },
  };
}
