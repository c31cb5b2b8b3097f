/** Queues that do not move, of all buyers of the installation. */
import type { Collection } from 'mongodb';
import type { DeliveryDoc } from './deliveryDoc.js';
import { IS_BROKEN } from './deliveryIndexes.js';
import type { DestinationDoc } from './destinationDoc.js';

/** Buyers of all organizations whose breaker is not closed, counted up to `limit`. */
export const countOpenBreakers = (
  destinations: Collection<DestinationDoc>,
  limit: number,
): Promise<number> => destinations.countDocuments(IS_BROKEN, { limit });

/** A buyer whose queue does not move, and since when. */
export interface StuckQueue {
  buyer_id: string;
  org_id: string;
  since: Date;
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
