/** What waits for an operator: queues of buyers, deliveries that were never answered, breakers that are not closed. */
import type { Collection } from 'mongodb';
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
    .aggregate<Part & { _id: { buyer: string } }>(
      [
        { $match: { ...ofOrg(orgId), state: { $in: WAITING } } },
        { $limit: limit + 1 },
        {
          $group: {
            _id: { buyer: '$buyer_id', state: '$state' },
            rows: { $sum: 1 },
            oldest: { $min: '$created_at' },
          },
        },
      ],
      { hint: orgId === null ? WAITING_BY_BUYER : WAITING_OF_ORG },
    )
    .toArray();
  const size = ({ parked, unknown }: BuyerQueue): number => parked + unknown;
  const queues = byBuyer(found).map(([buyer_id, parts]) => ({ buyer_id, ...addUp(parts) }));
  const counted = queues.reduce((sum, queue) => sum + size(queue), 0);
  return { queues: queues.sort((a, b) => size(b) - size(a)), isCut: counted > limit };
}

/** Waiting rows of one state. A few of them are added up here: MongoDB would ask of each row which state it has. */
interface Part {
  _id: { state: 'parked' | 'unknown' };
  rows: number;
  oldest: Date;
}

function byBuyer<T extends { _id: { buyer: string } }>(parts: readonly T[]): [string, T[]][] {
  return [...Map.groupBy(parts, ({ _id }) => _id.buyer)];
}

const addUp = (parts: readonly Part[]): Omit<BuyerQueue, 'buyer_id'> => ({
  parked: rowsOf(parts, 'parked'),
  unknown: rowsOf(parts, 'unknown'),
  oldest: new Date(Math.min(...parts.map(({ oldest }) => Number(oldest)))),
});

const rowsOf = (parts: readonly Omit<Part, 'oldest'>[], state: 'parked' | 'unknown'): number =>
  parts.reduce((sum, { _id, rows }) => (_id.state === state ? sum + rows : sum), 0);

/** Those of these buyers for which deliveries wait: one entry of the index for each, however long the queues are. */
export async function findQueued(
  deliveries: Collection<DeliveryDoc>,
  buyerIds: readonly string[],
): Promise<string[]> {
  if (buyerIds.length === 0) return [];
  const each = WAITING.map((state) =>
    deliveries
      .aggregate<{ _id: string }>(
        [{ $match: { state, buyer_id: { $in: [...buyerIds] } } }, { $group: { _id: '$buyer_id' } }],
        { hint: WAITING_BY_BUYER },
      )
      .toArray(),
  );
  return [...new Set((await Promise.all(each)).flat().map(({ _id }) => _id))];
}

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
  const found = await deliveries
    .aggregate<QueuePart>(
      [
        { $match: { buyer_id: { $in: [...buyerIds] }, state: { $in: WAITING } } },
        { $limit: limit },
        {
          $group: {
            _id: {
              buyer: '$buyer_id',
              state: '$state',
              is_held: { $eq: ['$due_at', NEVER_DUE] },
            },
            rows: { $sum: 1 },
            oldest: { $min: '$created_at' },
            due: { $min: '$due_at' },
          },
        },
      ],
      { hint: WAITING_BY_BUYER },
    )
    .toArray();
  return new Map(byBuyer(found).map(([buyer, parts]) => [buyer, stateOf(parts)]));
}

interface QueuePart extends Part {
  _id: Part['_id'] & { buyer: string; is_held: boolean };
  due: Date | null;
}

function stateOf(parts: readonly QueuePart[]): QueueState {
  const parked = parts.filter(({ _id }) => _id.state === 'parked');
  return {
    ...addUp(parts),
    held: rowsOf(
      parked.filter(({ _id }) => _id.is_held),
      'parked',
    ),
    due: parked.find(({ _id }) => !_id.is_held)?.due ?? null,
  };
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
  const is_asked =
    campaign_id === undefined ? { $literal: true } : { $eq: ['$campaign_id', campaign_id] };
  const found = await deliveries
    .aggregate<Omit<Part, 'oldest'> & { _id: { is_asked: boolean } }>(
      [
        { $match: { ...ofOrg(orgId), state: { $in: WAITING } } },
        { $limit: limit + 1 },
        { $group: { _id: { state: '$state', is_asked }, rows: { $sum: 1 } } },
      ],
      { hint: WAITING_OF_ORG },
    )
    .toArray();
  const asked = found.filter(({ _id }) => _id.is_asked);
  return {
    deliveries: rowsOf(asked, 'parked'),
    unknown: rowsOf(asked, 'unknown'),
    is_cut: found.reduce((sum, { rows }) => sum + rows, 0) > limit,
  };
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
