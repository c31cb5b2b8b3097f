/** Adding entries to one list while it is there. */
import { randomUUID } from 'node:crypto';
import {
  listNotFound,
  openSuppressionList,
  type SuppressionListInput,
} from '../account/suppressions.js';
import type { Collections } from '../store/collections.js';
import { suppressionStore } from '../store/suppressions.js';

export interface ListWriter {
  listId: string;
  /**
   * Returns how many were not on the list yet.
   * @throws {AppError} `not_found` when the list has been removed; then nothing of it is left behind
   */
  add(md5s: readonly string[]): Promise<number>;
  /** Returns how many the list has. */
  finish(): Promise<number>;
}

/** Where less than this part of a batch was new, most of the next will be known too. */
const REPEAT_BELOW = 0.9;

/** @throws {AppError} as `openSuppressionList` */
export async function openListWriter(
  collections: Collections,
  input: SuppressionListInput,
): Promise<ListWriter> {
  const run = randomUUID();
  const { _id } = await openSuppressionList(collections, input);
  const { suppressionLists } = collections;
  const before = await suppressionLists.findOneAndUpdate(
    { _id },
    { $set: { upload: run } },
    { projection: { upload: 1 } },
  );
  const entries = suppressionStore(collections.suppressions);
  let isRepeat = false;
  return {
    listId: _id,
    async add(md5s) {
      const added = await entries.add(_id, md5s, isRepeat);
      isRepeat = added < md5s.length * REPEAT_BELOW;
      const { matchedCount } = await suppressionLists.updateOne(
        { _id, removed_at: { $exists: false } },
        { $inc: { entries: added } },
      );
      if (matchedCount > 0) return added;
      await entries.clear(_id);
      throw listNotFound(_id);
    },
    async finish() {
      const own = await suppressionLists.findOneAndUpdate(
        { _id, upload: run },
        { $unset: { upload: 1 } },
        { projection: { entries: 1 } },
      );
      // Nobody else was at it: what was added is all that is new.
      if (own && before?.upload === undefined) return own.entries;
      // An upload that was cut off, or ran meanwhile, may have added what it has not counted; of those that run side by
      // side the last one to end counts all.
      const counted = await entries.count(_id);
      await suppressionLists.updateOne({ _id }, { $set: { entries: counted } });
      return counted;
    },
  };
}
