/** Idempotency keys: inserted before the lead, so that one of two requests with the same key is the first. */
import type { Collection } from 'mongodb';
import { unavailable } from '../../lib/errors.js';
import { failedInserts } from '../../platform/mongo/failedInserts.js';
import type { IdempotencyDoc } from '../../leads/store/intakeDocs.js';
import { DURABLE } from '../../platform/mongo/readConcern.js';

/** Maximum attempts for a key that another request keeps freeing between insert and read. */
const CLAIM_TRIES = 5;

export type IdempotencyStore = ReturnType<typeof createIdempotencyStore>;

export function createIdempotencyStore(rows: Collection<IdempotencyDoc>) {
  /** Returns the rows whose key was not free. */
  const insertFree = async (wanted: readonly IdempotencyDoc[]): Promise<IdempotencyDoc[]> => {
    try {
      await rows.insertMany([...wanted], { ordered: false });
      return [];
    } catch (error) {
      return failedInserts(error, wanted);
    }
  };
  const read = async (ids: readonly string[]): Promise<IdempotencyDoc[]> =>
    ids.length === 0 ? [] : rows.find({ _id: { $in: [...ids] } }, DURABLE).toArray();
  return {
    /**
     * Inserts rows, and returns the rows that existed already, by id. Every other one is stored when this resolves.
     * @throws {AppError} `unavailable` when a key keeps changing hands
     */
    async claim(wanted: readonly IdempotencyDoc[]): Promise<Map<string, IdempotencyDoc>> {
      const earlier = new Map<string, IdempotencyDoc>();
      let left = [...wanted];
      for (let round = 0; left.length > 0; round++) {
        if (round === CLAIM_TRIES)
          throw unavailable('The Idempotency-Key is in use. Send it again.');
        const met = await insertFree(left);
        const found = await read(met.map(({ _id }) => _id));
        found.forEach((row) => earlier.set(row._id, row));
        // Freed between the two calls: it must still be claimed, because no lead is accepted without its key's row.
        left = met.filter(({ _id }) => !earlier.has(_id));
      }
      return earlier;
    },
    async get(id: string): Promise<IdempotencyDoc | null> {
      return rows.findOne({ _id: id }, DURABLE);
    },
    /** Points a row to another lead; false when another request has already done so. */
    async replace({ _id, lead_id }: IdempotencyDoc, by: IdempotencyDoc): Promise<boolean> {
      const replaced = await rows.updateOne(
        { _id, lead_id },
        { $set: { lead_id: by.lead_id, body_hash: by.body_hash, expires_at: by.expires_at } },
      );
      return replaced.matchedCount > 0;
    },
    /** Frees the keys of these leads: their answers are not kept. */
    async free(freed: readonly Pick<IdempotencyDoc, '_id' | 'lead_id'>[]): Promise<void> {
      if (freed.length === 0) return;
      await rows.deleteMany({ $or: freed.map(({ _id, lead_id }) => ({ _id, lead_id })) });
    },
  };
}
