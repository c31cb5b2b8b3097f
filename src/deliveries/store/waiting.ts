/** Rows that wait for a buyer, and how many there are. */
import type { Collection, Filter } from 'mongodb';
import type { DeliveryDoc, DeliveryState } from './deliveryDoc.js';

export const WAITING: DeliveryState[] = ['parked', 'unknown'];

/** When a row that an operator holds is due. */
export const NEVER_DUE = new Date('9999-12-31T00:00:00Z');

export interface Counts {
  /** To be sent, held ones among them. */
  parked: number;
  /** By an operator, each by itself. */
  held: number;
  /** Never answered. */
  unknown: number;
}

/** How many rows of each kind wait for a buyer, each counted up to `limit`. */
export async function countWaiting(
  deliveries: Collection<DeliveryDoc>,
  buyerId: string,
  limit: number,
): Promise<Counts> {
  const count = (row: Filter<DeliveryDoc>) =>
    deliveries.countDocuments({ buyer_id: buyerId, ...row }, { limit });
  const [parked, held, unknown] = await Promise.all([
    count({ state: 'parked' }),
    count({ state: 'parked', due_at: NEVER_DUE }),
    count({ state: 'unknown' }),
  ]);
  return { parked, held, unknown };
}
