/** What waits for an operator: queues of buyers, deliveries that were never answered, breakers that are not closed. */
import type { Collection, Document } from 'mongodb';
import type { DeliveryDoc } from './deliveryDoc.js';
import { IS_BROKEN, WAITING_BY_BUYER, WAITING_OF_ORG } from './deliveryIndexes.js';
import type { DestinationDoc } from './destinationDoc.js';
import { NEVER_DUE, WAITING } from './waiting.js';

/** The rows that wait for one buyer. */
export interface BuyerQueue {
  buyer_id: string;
  /** Rows to be sent, including held ones. */
  parked: number;
  /** Rows that were never answered. */
  unknown: number;
  /** Since when the oldest waits. */
  oldest: Date;
}

export interface Queues {
  /** Of each buyer for which something waits, the longest queue first. */
  queues: BuyerQueue[];
  /** More rows wait than were counted: the numbers are lower bounds. */
  isCut: boolean;
}

/**
 * The queues of an organization, or of the whole installation (`orgId` null). At most `limit` rows are counted, from the
 * index alone: of an organization the oldest ones.
 */
export async function readQueues(
  deliveries: Collection<DeliveryDoc>,
  orgId: string | null,
  limit: number,
): Promise<Queues> {
  const found = await deliveries
    .aggregate<BuyerQueue>(
      [
        { $match: { ...ofOrg(orgId), state: { $in: WAITING } } },
        { $limit: limit + 1 },
        { $group: { _id: '$buyer_id', ...COUNTS } },
        { $project: { _id: 0, buyer_id: '$_id', parked: 1, unknown: 1, oldest: 1 } },
      ],
      { hint: orgId === null ? WAITING_BY_BUYER : WAITING_OF_ORG },
    )
    .toArray();
  const size = ({ parked, unknown }: BuyerQueue): number => parked + unknown;
  const counted = found.reduce((sum, queue) => sum + size(queue), 0);
  return { queues: found.sort((a, b) => size(b) - size(a)), isCut: counted > limit };
}

const countOf = (state: 'parked' | 'unknown'): Document => ({
  $sum: { $cond: [{ $eq: ['$state', state] }, 1, 0] },
});
const COUNTS = {
  parked: countOf('parked'),
  unknown: countOf('unknown'),
  oldest: { $min: '$created_at' },
};

/** The queue of a buyer with the times by which it goes on. */
export interface QueueState extends Omit<BuyerQueue, 'buyer_id'> {
  /** The part of `parked` that an operator holds, each by itself. */
  held: number;
  /** When the next one is due; null: none is to be sent before an operator retries it. */
  due: Date | null;
}

/** The queues of these buyers, by buyer; at most `limit` rows are counted in all. Those without a queue are left out. */
export async function readQueueStates(
  deliveries: Collection<DeliveryDoc>,
  buyerIds: readonly string[],
  limit: number,
): Promise<Map<string, QueueState>> {
  const isHeld = { $and: [{ $eq: ['$state', 'parked'] }, { $eq: ['$due_at', NEVER_DUE] }] };
  const isToSend = { $and: [{ $eq: ['$state', 'parked'] }, { $lt: ['$due_at', NEVER_DUE] }] };
  const found = await deliveries
    .aggregate<QueueState & { _id: string }>(
      [
        { $match: { buyer_id: { $in: [...buyerIds] }, state: { $in: WAITING } } },
        { $limit: limit },
        {
          $group: {
            _id: '$buyer_id',
            ...COUNTS,
            held: { $sum: { $cond: [isHeld, 1, 0] } },
            due: { $min: { $cond: [isToSend, '$due_at', null] } },
          },
        },
      ],
      { hint: WAITING_BY_BUYER },
    )
    .toArray();
  return new Map(found.map(({ _id, ...queue }) => [_id, queue]));
}

/** What waits, of a campaign or of the whole organization. */
export interface Waiting {
  deliveries: number;
  unknown: number;
  is_cut: boolean;
}

/** Of at most `limit` waiting rows of the organization, the oldest ones, from the index alone. */
export async function countWaiting(
  deliveries: Collection<DeliveryDoc>,
  { orgId, campaign_id }: { orgId: string; campaign_id?: string },
  limit: number,
): Promise<Waiting> {
  const isAsked = campaign_id === undefined ? true : { $eq: ['$campaign_id', campaign_id] };
  const ofState = (state: 'parked' | 'unknown'): Document => ({
    $sum: { $cond: [{ $and: [isAsked, { $eq: ['$state', state] }] }, 1, 0] },
  });
  const [found] = await deliveries
    .aggregate<{ parked: number; unknown: number; rows: number }>(
      [
        { $match: { ...ofOrg(orgId), state: { $in: WAITING } } },
        { $limit: limit + 1 },
        {
          $group: {
            _id: null,
            parked: ofState('parked'),
            unknown: ofState('unknown'),
            rows: { $sum: 1 },
          },
        },
      ],
      { hint: WAITING_OF_ORG },
    )
    .toArray();
  const { parked = 0, unknown = 0, rows = 0 } = found ?? {};
  return { deliveries: parked, unknown, is_cut: rows > limit };
}

/** Deliveries that were never answered and wait for a decision, counted up to `limit`; `orgId` null: of all. */
export const countUnknowns = (
  deliveries: Collection<DeliveryDoc>,
  orgId: string | null,
  limit: number,
): Promise<number> => deliveries.countDocuments({ ...ofOrg(orgId), state: 'unknown' }, { limit });

/** A breaker that is open, or half open: the cooldown is over, and the buyer has not answered yet. */
export type OpenBreaker = Pick<DestinationDoc, '_id' | 'org_id' | 'open_until' | 'failures'> & {
  /** Since when it is not closed. */
  paused_at: Date;
};

/** Breakers that are not closed, the first to open first; `_id` is the buyer's. `orgId` null: of all organizations. */
export const findOpenBreakers = (
  destinations: Collection<DestinationDoc>,
  orgId: string | null,
  limit: number,
): Promise<OpenBreaker[]> =>
  destinations
    .find<OpenBreaker>(
      { ...IS_BROKEN, ...ofOrg(orgId) },
      { projection: { org_id: 1, open_until: 1, failures: 1, paused_at: 1 } },
    )
    .sort({ paused_at: 1 })
    .limit(limit)
    .toArray();

const ofOrg = (orgId: string | null) => (orgId === null ? {} : { org_id: orgId });
