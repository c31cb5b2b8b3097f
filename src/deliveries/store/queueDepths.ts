/** How much waits for each buyer, for those who watch the whole installation. */
import type { Collection } from 'mongodb';
import type { DeliveryDoc } from './deliveryDoc.js';
import type { DestinationDoc } from './destinationDoc.js';

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

/** Destinations whose breaker is not closed; an automation has none. */
export const BREAKER_OPEN = { paused_at: { $type: 'date' } } as const;

/** The buyers whose breaker is not closed, at most `limit` of them. */
export async function findOpenBreakers(
  destinations: Collection<DestinationDoc>,
  limit: number,
): Promise<string[]> {
  const found = await destinations
    .find(BREAKER_OPEN, { projection: { _id: 1 } })
    .limit(limit)
    .toArray();
  return found.map(({ _id }) => _id);
}
