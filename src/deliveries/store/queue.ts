/** An operator's operations on a buyer's queue: a batch at a time, at any length. */
import type { Collection, Filter } from 'mongodb';
import type { DeliveryDoc } from './deliveryDoc.js';
import { countWaiting, NEVER_DUE, WAITING, type Counts } from './waiting.js';

/** Kinds of a buyer's waiting rows. */
export type QueueKind = 'parked' | 'unknown' | 'held';

export interface QueueStore {
  /** Parked rows of a buyer that are not due at `now`, including those that an operator holds. */
  notDue(buyerId: string, now: Date, limit: number): Promise<string[]>;
  /** Makes parked rows due and ends an operator's hold on them. Returns how many of these are parked. */
  makeDue(ids: readonly string[], now: Date): Promise<number>;
  /** Holds parked rows: they are not due until they are made so. Returns how many of these are parked. */
  hold(ids: readonly string[]): Promise<number>;
  /** The buyer's rows among these ids that wait to be sent and have not ended. */
  among(ids: readonly string[], buyerId: string, now: Date): Promise<DeliveryDoc[]>;
  /** Rows that have waited for the buyer since `at` or longer, except these. */
  waiting(buyerId: string, at: Date, but: readonly string[], limit: number): Promise<DeliveryDoc[]>;
  /** How many of these an operator has dropped. */
  dropped(ids: readonly string[]): Promise<number>;
  /** How many of each kind wait. */
  counts(buyerId: string): Promise<Counts>;
  /** Waiting rows of a kind, newest first; of every kind when absent. */
  list(buyerId: string, kind: QueueKind | undefined, limit: number): Promise<DeliveryDoc[]>;
}

/** More than any queue has. */
const ALL = 10_000_000;
/** The reason of a row that an operator dropped. */
export const DROPPED = 'dropped';

export function createQueueStore(deliveries: Collection<DeliveryDoc>): QueueStore {
  return {
    async notDue(buyerId, now, limit) {
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
    async makeDue(ids, now) {
      const result = await deliveries.updateMany(
        { _id: { $in: [...ids] }, state: 'parked' },
        { $set: { due_at: now }, $unset: { held: true } },
      );
      return result.matchedCount;
    },
    async hold(ids) {
      const result = await deliveries.updateMany(
        { _id: { $in: [...ids] }, state: 'parked' },
        { $set: { held: true, due_at: NEVER_DUE } },
      );
      return result.matchedCount;
    },
    async among(ids, buyerId, now) {
      return deliveries
        .find({
          _id: { $in: [...ids] },
          buyer_id: buyerId,
          state: 'parked',
          expires_at: { $gt: now },
        })
        .toArray();
    },
    async waiting(buyerId, at, but, limit) {
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
    async dropped(ids) {
      const rows = await deliveries
        .find(
          { _id: { $in: [...ids] }, state: 'expired', reason: DROPPED },
          { projection: { _id: 1 } },
        )
        .toArray();
      return rows.length;
    },
    counts: (buyerId) => countWaiting(deliveries, buyerId, ALL),
    async list(buyerId, kind, limit) {
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
