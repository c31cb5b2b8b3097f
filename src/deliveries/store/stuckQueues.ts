/** What waits for a person in the queues of all buyers of the installation. */
import type { Collection } from 'mongodb';
import type { DeliveryDoc } from './deliveryDoc.js';
import type { DestinationDoc } from './destinationDoc.js';

/** Since when a breaker is open; other destinations are not in the index. */
export const BREAKER_OPEN = { paused_at: { $type: 'date' } } as const;

/** Deliveries whose buyer never answered, counted up to `limit`. */
export const countUnknown = (
  deliveries: Collection<DeliveryDoc>,
  limit: number,
  maxTimeMS: number,
): Promise<number> => deliveries.countDocuments({ state: 'unknown' }, { limit, maxTimeMS });

/** Buyers whose breaker is not closed, counted up to `limit`. */
export const countOpenBreakers = (
  destinations: Collection<DestinationDoc>,
  limit: number,
  maxTimeMS: number,
): Promise<number> => destinations.countDocuments(BREAKER_OPEN, { limit, maxTimeMS });

/** A buyer whose queue does not move, and since when. */
export interface StuckQueue {
  buyer_id: string;
  org_id: string;
  since: Date;
}

/** Buyers whose breaker has not been closed since `before`, the longest first. */
export async function findOpenBreakers(
  destinations: Collection<DestinationDoc>,
  before: Date,
  limit: number,
): Promise<StuckQueue[]> {
  const found = await destinations
    .find({ paused_at: { ...BREAKER_OPEN.paused_at, $lt: before } })
    .sort({ paused_at: 1 })
    .project<Pick<DestinationDoc, '_id' | 'org_id'> & { paused_at: Date }>({
      org_id: 1,
      paused_at: 1,
    })
    .limit(limit)
    .toArray();
  return found.map(({ _id, org_id, paused_at }) => ({ buyer_id: _id, org_id, since: paused_at }));
}

/** Buyers with a lead that has been due since `before`: one row per buyer is read, however long the queues are. */
export async function findOverdue(
  deliveries: Collection<DeliveryDoc>,
  before: Date,
): Promise<StuckQueue[]> {
  const first = await deliveries
    .aggregate<{ _id: string; org_id: string; since: Date }>([
      { $match: { state: 'parked' } },
      { $sort: { buyer_id: 1, due_at: 1 } },
      {
        $group: {
          _id: '$buyer_id',
          org_id: { $first: '$org_id' },
          since: { $first: '$due_at' },
        },
      },
    ])
    .toArray();
  return first.flatMap(({ _id, ...row }) =>
    row.since < before ? [{ buyer_id: _id, ...row }] : [],
  );
}
