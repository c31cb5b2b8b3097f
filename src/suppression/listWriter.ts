/** Adding entries to one list while it is there. */
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
  /** Counts the list, notes it, and returns how many it has. */
  count(): Promise<number>;
}

/** Where less than this part of a batch was new, most of the next will be known too. */
const REPEAT_BELOW = 0.9;

/** @throws {AppError} as `openSuppressionList` */
export async function openListWriter(
  collections: Collections,
  input: SuppressionListInput,
): Promise<ListWriter> {
  const { _id } = await openSuppressionList(collections, input);
  const { suppressionLists } = collections;
  const entries = suppressionStore(collections.suppressions);
  let isRepeat = false;
  return {
    listId: _id,
    async add(md5s) {
      const added = await entries.add(_id, md5s, isRepeat);
      isRepeat = added < md5s.length * REPEAT_BELOW;
      const live = await suppressionLists.findOne(
        { _id, removed_at: { $exists: false } },
        { projection: { _id: 1 } },
      );
      if (live) return added;
      await entries.clear(_id);
      throw listNotFound(_id);
    },
    async count() {
      const counted = await entries.count(_id);
      // Nothing is ever taken off a list, so of two counts at once the greater is the later one.
      await suppressionLists.updateOne({ _id }, { $max: { entries: counted } });
      return counted;
    },
  };
}
