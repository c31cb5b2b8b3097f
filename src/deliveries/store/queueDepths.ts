/**
 * How much waits for each buyer of the whole installation. Unlike `readQueues`, which adds up the rows that it has room for,
 * it has every queue, however long another one is.
 */
import type { Collection } from 'mongodb';
import type { DeliveryDoc } from './deliveryDoc.js';

export interface QueueDepth {
  buyer_id: string;
  /** `parked`: to be sent. `unknown`: sent, and never answered. */
  state: 'parked' | 'unknown';
  /** Counted up to a limit. */
  deliveries: number;
  /** When the oldest of them was made. */
  oldest: Date;
}

export interface DepthLimits {
  /** Buyers with a queue, those that wait longest first. */
  buyersMax: number;
  /** Rows counted for one buyer. */
  countMax: number;
  /** Rows counted for all of them; then only `countLeast` for each. */
  totalMax: number;
  countLeast: number;
}

/** The queues of all buyers. `leftOut` is the number of queues past `buyersMax`. */
export async function readQueueDepths(
  deliveries: Collection<DeliveryDoc>,
  limits: DepthLimits,
): Promise<{ queues: QueueDepth[]; leftOut: number }> {
  const each = await Promise.all(
    (['parked', 'unknown'] as const).map((state) => findOldest(deliveries, state)),
  );
  const all = each.flat().toSorted((a, b) => Number(a.oldest) - Number(b.oldest));
  const queues: QueueDepth[] = [];
  let left = limits.totalMax;
  for (const { buyer_id, state, oldest } of all.slice(0, limits.buyersMax)) {
    const limit = Math.max(limits.countLeast, Math.min(limits.countMax, left));
    const counted = await deliveries.countDocuments({ buyer_id, state }, { limit });
    left -= counted;
    // It was emptied since.
    if (counted > 0) queues.push({ buyer_id, state, deliveries: counted, oldest });
  }
  return { queues, leftOut: Math.max(0, all.length - limits.buyersMax) };
}

/** Reads one entry of the index for each buyer, however long the queues are. */
const findOldest = (
  deliveries: Collection<DeliveryDoc>,
  state: QueueDepth['state'],
): Promise<Omit<QueueDepth, 'deliveries'>[]> =>
  deliveries
    .aggregate<Omit<QueueDepth, 'deliveries'>>([
      { $match: { state } },
      { $sort: { buyer_id: -1, created_at: 1 } },
      { $group: { _id: '$buyer_id', oldest: { $first: '$created_at' } } },
      { $project: { _id: 0, buyer_id: '$_id', state: { $literal: state }, oldest: 1 } },
    ])
    .toArray();
