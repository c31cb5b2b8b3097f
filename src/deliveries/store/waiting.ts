/** Rows that wait for a buyer, and how many there are. */
import type { Collection, Filter } from 'mongodb';
import { inTimeLimit } from '../../platform/mongo/databaseErrors.js';
import type { DeliveryDoc, DeliveryState } from './deliveryDoc.js';

export const WAITING: DeliveryState[] = ['parked', 'unknown'];

/** The due time of a row that an operator holds. */
export const NEVER_DUE = new Date('9999-12-31T00:00:00Z');

export interface Counts {
  /** Rows to be sent, including held ones. */
  parked: number;
  /** Rows that an operator holds, each by itself. */
  held: number;
  /** Rows that were never answered. */
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

/** The deliveries of some buyers, of one campaign alone where it is named, and of one supplier alone. */
export interface WaitingOf {
  buyer_ids: readonly string[];
  campaign_id?: string;
  supplier_id?: string;
}

/** Longest time of each count, in milliseconds. */
const COUNT_MS = 1_000;

/** How many rows of these buyers wait, each kind counted up to `limit`; null where that takes too long. */
export async function countWaitingOf(
  deliveries: Collection<DeliveryDoc>,
  { buyer_ids, campaign_id, supplier_id }: WaitingOf,
  limit: number,
): Promise<Record<'parked' | 'unknown', number | null>> {
  if (buyer_ids.length === 0) return { parked: 0, unknown: 0 };
  const count = (state: DeliveryState) =>
    inTimeLimit(() =>
      deliveries.countDocuments(
        { state, buyer_id: { $in: [...buyer_ids] }, campaign_id, supplier_id },
        { limit, maxTimeMS: COUNT_MS },
      ),
    );
  const [parked, unknown] = await Promise.all([count('parked'), count('unknown')]);
  return { parked, unknown };
}

export interface Backlog extends Counts {
  /** Parked or unknown rows, counted up to the limit. */
  waiting: number;
  /** Since when the oldest waits; null when none does. */
  oldest: Date | null;
  /** When the next one may be sent; null when none is to be sent. */
  due: Date | null;
  /** When the next one's waiting ends; null when none waits. */
  ends: Date | null;
}

/** How many rows wait for the buyer, each kind counted up to `limit`, and when the next ones are due and end. */
export async function readBacklog(
  deliveries: Collection<DeliveryDoc>,
  buyerId: string,
  limit: number,
): Promise<Backlog> {
  const queue = { buyer_id: buyerId, state: { $in: WAITING } };
  const counts = await countWaiting(deliveries, buyerId, limit);
  const waiting = Math.min(limit, counts.parked + counts.unknown);
  if (waiting === 0) return { ...counts, waiting, oldest: null, due: null, ends: null };
  const first = async (
    by: 'due_at' | 'expires_at' | 'created_at',
    rows: Filter<DeliveryDoc> = queue,
  ): Promise<Date | null> =>
    (await deliveries.findOne(rows, { sort: { [by]: 1 }, projection: { [by]: 1 } }))?.[by] ?? null;
  const due = await first('due_at', { buyer_id: buyerId, state: 'parked' });
  const ends = await first('expires_at');
  return { ...counts, waiting, due, ends, oldest: await first('created_at') };
}
