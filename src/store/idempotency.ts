/** Idempotency keys: inserted before the lead, so that of two requests with one key one is the first. */
import type { Collection } from 'mongodb';
import { failedInserts } from './claims.js';
import type { IdempotencyDoc } from './collections.js';

export interface IdempotencyStore {
  /** Inserts rows, and returns the rows that were there already, by id. */
  claim(rows: readonly IdempotencyDoc[]): Promise<Map<string, IdempotencyDoc>>;
  get(id: string): Promise<IdempotencyDoc | null>;
  /** Puts another lead in the place of a row's; false when somebody else has done so. */
  replace(row: IdempotencyDoc, by: IdempotencyDoc): Promise<boolean>;
  /** Gives the keys of these leads free: their answers are not kept. */
  free(rows: readonly Pick<IdempotencyDoc, '_id' | 'lead_id'>[]): Promise<void>;
}

export function idempotencyStore(rows: Collection<IdempotencyDoc>): IdempotencyStore {
  return {
    async claim(wanted) {
      if (wanted.length === 0) return new Map();
      try {
        await rows.insertMany([...wanted], { ordered: false });
        return new Map();
      } catch (error) {
        const taken = failedInserts(error, wanted).map((row) => row._id);
        const found = await rows.find({ _id: { $in: taken } }).toArray();
        return new Map(found.map((row) => [row._id, row]));
      }
    },
    async get(id) {
      return rows.findOne({ _id: id });
    },
    async replace({ _id, lead_id }, by) {
      const replaced = await rows.updateOne(
        { _id, lead_id },
        { $set: { lead_id: by.lead_id, body_hash: by.body_hash, expires_at: by.expires_at } },
      );
      return replaced.matchedCount > 0;
    },
    async free(freed) {
      if (freed.length === 0) return;
      await rows.deleteMany({ $or: freed.map(({ _id, lead_id }) => ({ _id, lead_id })) });
    },
  };
}
