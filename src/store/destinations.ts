/** The state of each buyer as a destination, shared by all processes: awake or not, well or not. */
import type { Collection } from 'mongodb';
import type { Pause } from '../domain/breaker.js';
import type { DestinationDoc } from './collections.js';

const NEVER = new Date(0);

export interface DestinationStore {
  get(buyerIds: readonly string[]): Promise<Map<string, DestinationDoc>>;
  /** True for the one caller that changed the destination from asleep to awake: it must start the drain. */
  wake(buyerId: string, orgId: string, now: Date): Promise<boolean>;
  /** Nobody promises to look soon any more. */
  sleep(buyerId: string): Promise<void>;
  /** A drain is at work: producers need not wake it. */
  begin(buyerId: string, now: Date): Promise<void>;
  /** Its queue is not drained before then: the pace it asked for. */
  pace(buyerId: string, until: Date): Promise<void>;
  /** So many requests more have failed in a row. */
  failed(buyerId: string, orgId: string, failed: number, pause: Pause): Promise<void>;
  /** The buyer answers again. True when it was known to fail, for the one caller that changed that. */
  recovered(buyerId: string): Promise<boolean>;
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
            $setOnInsert: {
              org_id: orgId,
              failures: 0,
              pauses: 0,
              open_until: null,
              retry_at: null,
            },
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
    async pace(buyerId, until) {
      await destinations.updateOne({ _id: buyerId }, { $max: { retry_at: until } });
    },
    async failed(buyerId, orgId, failed, { pauses, open_until, retry_at }) {
      await destinations.updateOne(
        { _id: buyerId },
        {
          $inc: { failures: failed },
          // Two processes that see the same spell of failures agree on one pause.
          $max: { pauses, open_until: open_until ?? NEVER, retry_at: retry_at ?? NEVER },
          $setOnInsert: { org_id: orgId, awake: false, awake_at: NEVER },
        },
        { upsert: true },
      );
    },
    async recovered(buyerId) {
      const result = await destinations.updateOne(
        { _id: buyerId, failures: { $gt: 0 } },
        { $set: { failures: 0, pauses: 0, open_until: null, retry_at: null } },
      );
      return result.modifiedCount > 0;
    },
  };
}
