/** The state of each buyer as a destination, shared by all processes: awake or not, well or not. */
import type { Collection } from 'mongodb';
import type { DestinationDoc } from './collections.js';

export interface DestinationStore {
  get(buyerIds: readonly string[]): Promise<Map<string, DestinationDoc>>;
  /** True for the one caller that changed the destination from asleep to awake: it must start the drain. */
  wake(buyerId: string, orgId: string, now: Date): Promise<boolean>;
  sleep(buyerId: string): Promise<void>;
  /** A drain is at work: producers need not wake it. */
  begin(buyerId: string, now: Date): Promise<void>;
  failed(buyerId: string, orgId: string, pause: Pause): Promise<number>;
  recovered(buyerId: string): Promise<void>;
}

/** Moments before which nothing (`open_until`) or no drain (`retry_at`) may go to the buyer. */
export interface Pause {
  failures: number;
  open_until: Date | null;
  retry_at: Date;
}

export function destinationStore(destinations: Collection<DestinationDoc>): DestinationStore {
  return {
    async get(buyerIds) {
      const found = await destinations.find({ _id: { $in: [...buyerIds] } }).toArray();
      return new Map(found.map((doc) => [doc._id, doc]));
    },
    async wake(buyerId, orgId, now) {
      try {
        const result = await destinations.updateOne(
          { _id: buyerId, awake: { $ne: true } },
          {
            $set: { awake: true, awake_at: now },
            $setOnInsert: { org_id: orgId, failures: 0, open_until: null, retry_at: null },
          },
          { upsert: true },
        );
        return result.matchedCount + result.upsertedCount > 0;
      } catch (error) {
        // The filter missed an awake destination, so the upsert met its id: somebody else woke it.
        if (error instanceof Error && 'code' in error && error.code === 11_000) return false;
        throw error;
      }
    },
    async sleep(buyerId) {
      await destinations.updateOne({ _id: buyerId }, { $set: { awake: false } });
    },
    async begin(buyerId, now) {
      await destinations.updateOne({ _id: buyerId }, { $set: { awake: true, last_drain_at: now } });
    },
    async failed(buyerId, orgId, { failures, open_until, retry_at }) {
      const doc = await destinations.findOneAndUpdate(
        { _id: buyerId },
        {
          $inc: { failures },
          $max: { open_until: open_until ?? new Date(0), retry_at },
          $setOnInsert: { org_id: orgId, awake: false, awake_at: new Date(0) },
        },
        { upsert: true, returnDocument: 'after' },
      );
      return doc?.failures ?? failures;
    },
    async recovered(buyerId) {
      await destinations.updateOne(
        { _id: buyerId, failures: { $gt: 0 } },
        { $set: { failures: 0, open_until: null, retry_at: null } },
      );
    },
  };
}
