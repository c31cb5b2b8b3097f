/** The deliveries of one buyer, newest first: each attempt to deliver a lead to it. */
import type { Collection } from 'mongodb';
import { inTimeLimit } from '../../platform/mongo/databaseErrors.js';
import {
  findPageOfAny,
  NEWEST_FIRST,
  type Found,
  type Wanted,
} from '../../platform/mongo/pages.js';
import type { BuyerDoc } from '../../account/store/accountDocs.js';
import type { Measured } from '../rules/buyerHealth.js';
import type { DeliveryDoc, DeliveryState } from './deliveryDoc.js';
import { DELIVERIES_OF_BUYER, LISTED_STATES, rowIdsOf } from './deliveryIndexes.js';
import type { Projected } from '../../platform/mongo/projected.js';

export interface AttemptFilter {
  org_id: string;
  buyer_id: string;
  /** Absent: every state but `sending`, which lasts only seconds. */
  states?: readonly DeliveryState[];
  /** Opened at this time or later. */
  from?: Date;
  /** Opened before this time. */
  before?: Date;
}

const SHOWN = {
  lead_id: 1,
  campaign_id: 1,
  state: 1,
  unanswered: 1,
  tries: 1,
  due_at: 1,
  held: 1,
  http_status: 1,
  latency_ms: 1,
  reason: 1,
  reference: 1,
  excerpt: 1,
  created_at: 1,
  settled_at: 1,
} as const;

/** The fields of an attempt that a buyer may see. */
export type ShownAttempt = Projected<DeliveryDoc, typeof SHOWN>;

/** Milliseconds after which the query of a page is abandoned. */
const PAGE_WITHIN_MS = 1_500;

/** @returns null where it could not be read in time */
export async function findAttempts(
  deliveries: Collection<DeliveryDoc>,
  { org_id, buyer_id, states = LISTED_STATES, from, before }: AttemptFilter,
  wanted: Wanted,
): Promise<Found<ShownAttempt> | null> {
  const span = { $gte: from, $lt: before };
  const created_at = from || before ? span : undefined;
  // In order for one state each: with several in one filter MongoDB would sort in memory.
  const each = states.map((state) => ({ buyer_id, state, org_id, created_at }));
  return inTimeLimit(() =>
    findPageOfAny(deliveries, each, NEWEST_FIRST, {
      ...wanted,
      options: { hint: DELIVERIES_OF_BUYER, projection: SHOWN, maxTimeMS: PAGE_WITHIN_MS },
    }),
  );
}

const MEASURED = {
  state: 1,
  unanswered: 1,
  http_status: 1,
  latency_ms: 1,
  created_at: 1,
  settled_at: 1,
} as const;

/** What the health of a buyer is measured by. */
export type MeasuredAttempt = Projected<DeliveryDoc, typeof MEASURED>;

/** The latest `limit` attempts that were opened since `from`, newest first. */
export async function findMeasured(
  deliveries: Collection<DeliveryDoc>,
  { org_id, buyer_id, from }: { org_id: string; buyer_id: string; from: Date },
  limit: number,
): Promise<MeasuredAttempt[]> {
  const created_at = { $gte: from };
  const each = LISTED_STATES.map((state) => ({ buyer_id, state, org_id, created_at }));
  const options = { hint: DELIVERIES_OF_BUYER, projection: MEASURED };
  const wanted = { after: null, limit, options };
  return (await findPageOfAny(deliveries, each, NEWEST_FIRST, wanted)).docs;
}

const MEASURED_OF_MANY = { _id: 0, state: 1, unanswered: 1, latency_ms: 1 } as const;

/**
 * The latest `limit` attempts of each of these buyers that were opened since `from`, by buyer, in one command. For each
 * buyer MongoDB merges the states in order, and reads no more than these attempts.
 */
export async function measureEach(
  { buyers, deliveries }: { buyers: Collection<BuyerDoc>; deliveries: Collection<DeliveryDoc> },
  { org_id, buyer_ids, from }: { org_id: string; buyer_ids: readonly string[]; from: Date },
  limit: number,
): Promise<ReadonlyMap<string, Measured[]>> {
  if (buyer_ids.length === 0) return new Map();
  const found = await buyers
    .aggregate<{ _id: string; attempts: Measured[] }>([
      { $match: { _id: { $in: [...buyer_ids] } } },
      { $project: { _id: 1 } },
      {
        $lookup: {
          from: deliveries.collectionName,
          localField: '_id',
          foreignField: 'buyer_id',
          pipeline: [
            { $match: { state: { $in: LISTED_STATES }, org_id, created_at: { $gte: from } } },
            { $sort: { created_at: -1, _id: -1 } },
            { $limit: limit },
            { $project: MEASURED_OF_MANY },
          ],
          as: 'attempts',
        },
      },
    ])
    .toArray();
  return new Map(found.map(({ _id, attempts }) => [_id, attempts]));
}

/** The attempts of one lead with the buyer, oldest first; the newest `limit`. */
export async function attemptsOfLead(
  deliveries: Collection<DeliveryDoc>,
  { org_id, buyer_id, lead_id }: { org_id: string; buyer_id: string; lead_id: string },
): Promise<ShownAttempt[]> {
  return deliveries
    .find<ShownAttempt>({ _id: rowIdsOf(lead_id), org_id, buyer_id }, { projection: SHOWN })
    .sort({ created_at: 1 })
    .limit(ATTEMPTS_MAX)
    .toArray();
}

const ATTEMPTS_MAX = 100;

/** When each of these buyers last accepted a lead, test leads with it; absent: never. From the index alone, one entry each. */
export async function findLastAccepted(
  deliveries: Collection<DeliveryDoc>,
  buyerIds: readonly string[],
): Promise<ReadonlyMap<string, Date>> {
  const found = await deliveries
    .aggregate<{ _id: string; at: Date }>(
      [
        { $match: { buyer_id: { $in: [...buyerIds] }, state: 'accepted' } },
        { $sort: { buyer_id: 1, state: 1, created_at: -1 } },
        { $group: { _id: '$buyer_id', at: { $first: '$created_at' } } },
      ],
      { hint: DELIVERIES_OF_BUYER },
    )
    .toArray();
  return new Map(found.map(({ _id, at }) => [_id, at]));
}
