/** An operator's operations on a buyer's queue: a batch at a time, at any length. */
import type { Collection, Filter } from 'mongodb';
import type { DeliveryDoc } from './deliveryDoc.js';
import { countWaiting, NEVER_DUE, WAITING, type Counts } from './waiting.js';

/** Kinds of a buyer's waiting rows. */
export type QueueKind = 'parked' | 'unknown' | 'held';

/** More than any queue has. */
const ALL = 10_000_000;
/** The reason of a row that an operator dropped. */
export const DROPPED = 'dropped';

export type QueueStore = ReturnType<typeof createQueueStore>;

export function createQueueStore(deliveries: Collection<DeliveryDoc>) {
  return {
    /** Parked rows of a buyer that are not due at `now`, including those that an operator holds. */
    async notDue(buyerId: string, now: Date, limit: number): Promise<string[]> {
      const rows = await deliveries
        .find(
          { buyer_id: buyerId, state: 'parked', due_at: { $gt: now } },
          { projection: { _id: 1 } },
        )
        .sort({ due_at: 1 })
        .limit(limit)
        .toArray();
      return rows.map(({ _id }) => _id);
    },
    /** Makes parked rows due and ends an operator's hold on them. Returns how many of these are parked. */
    async makeDue(ids: readonly string[], now: Date): Promise<number> {
      const result = await deliveries.updateMany(
        { _id: { $in: [...ids] }, state: 'parked' },
        { $set: { due_at: now }, $unset: { held: true } },
      );
      return result.matchedCount;
    },
    /** Holds parked rows: they are not due until they are made so. Returns how many of these are parked. */
    async hold(ids: readonly string[]): Promise<number> {
      const result = await deliveries.updateMany(
        { _id: { $in: [...ids] }, state: 'parked' },
        { $set: { held: true, due_at: NEVER_DUE } },
      );
      return result.matchedCount;
    },
    /** The buyer's rows among these ids that wait to be sent and have not ended. */
    async among(ids: readonly string[], buyerId: string, now: Date): Promise<DeliveryDoc[]> {
      return deliveries
        .find({
          _id: { $in: [...ids] },
          buyer_id: buyerId,
          state: 'parked',
          expires_at: { $gt: now },
        })
        .toArray();
    },
    /** Rows that have waited for the buyer since `at` or longer, except these. */
    async waiting(
      buyerId: string,
      at: Date,
      but: readonly string[],
      limit: number,
    ): Promise<DeliveryDoc[]> {
      return deliveries
        .find({
          buyer_id: buyerId,
          state: { $in: WAITING },
          created_at: { $lte: at },
          ...(but.length === 0 ? {} : { _id: { $nin: [...but] } }),
        })
        .limit(limit)
        .toArray();
    },
    /** How many of these an operator has dropped. */
    async dropped(ids: readonly string[]): Promise<number> {
      const rows = await deliveries
        .find(
          { _id: { $in: [...ids] }, state: 'expired', reason: DROPPED },
          { projection: { _id: 1 } },
        )
        .toArray();
      return rows.length;
    },
    /** How many of each kind wait. */
    counts: (buyerId: string): Promise<Counts> => countWaiting(deliveries, buyerId, ALL),
    /** Waiting rows of a kind, newest first; of every kind when absent. */
    async list(
      buyerId: string,
      kind: QueueKind | undefined,
      limit: number,
    ): Promise<DeliveryDoc[]> {
      return deliveries
        .find({ buyer_id: buyerId, ...ofKind(kind) })
        .sort(kind === 'held' ? {} : { created_at: -1 })
        .limit(limit)
        .toArray();
    },
  };
}

function ofKind(kind: QueueKind | undefined): Filter<DeliveryDoc> {
  if (kind === 'held') return { state: 'parked', due_at: NEVER_DUE };
  return { state: kind ?? { $in: WAITING } };
}
