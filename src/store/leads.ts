/** Leads: taking them for a run, moving them on, and reading what became of them. */
import type { AnyBulkWriteOperation, Collection } from 'mongodb';
import {
  OPEN_STATUSES,
  type Lead,
  type LeadStatus,
  type Sale,
  type TrailEntry,
} from '../domain/lead.js';
import type { Micros } from '../domain/plan.js';
import { failedInserts } from './claims.js';

/** What a supplier's answer is made of. */
export type LeadAnswer = Pick<
  Lead,
  | '_id'
  | 'campaign_id'
  | 'supplier_id'
  | 'status'
  | 'buyer_id'
  | 'duplicate_of'
  | 'replay_of'
  | 'filter_errors'
  | 'refusal'
  | 'pending_at'
  | 'run'
  | 'body_hash'
>;

export interface Decided {
  leadId: string;
  status: Exclude<LeadStatus, 'NEW' | 'PENDING' | 'SELLING' | 'ACCEPTED'>;
  /** Why; it stands in the closing entry of the trail. */
  reason?: string;
  buyerId?: string;
  /** What comes before the closing entry. */
  trail: TrailEntry[];
  set?: Partial<Lead>;
}

export interface Sold {
  leadId: string;
  /** Of its plan: the lead is done when it has so many sales. */
  maxSells: number;
  sale: Sale;
  profit: Micros;
  trail: TrailEntry[];
}

export interface LeadStore {
  /** Stores new leads. A lead that is stored already (a repeated call) counts as stored. */
  insert(leads: readonly Lead[]): Promise<void>;
  /**
   * Makes the leads this run's own until the lease ends, and returns those that are.
   * Taken are new leads in time, and leads whose earlier run let its lease end.
   */
  take(ids: readonly string[], run: string, leaseUntil: Date, now: Date): Promise<Lead[]>;
  /** Takes leads that wait in the durable lane, for their sale or a further one. */
  takePending(ids: readonly string[], run: string, leaseUntil: Date, now: Date): Promise<Lead[]>;
  /** Moves the lease of the leads that are still the run's own, and returns how many are. */
  extendLease(ids: readonly string[], run: string, leaseUntil: Date): Promise<number>;
  /**
   * Writes final states; each only while `run` still owns the lead. One that is sold already becomes ACCEPTED,
   * whatever ended its further sales.
   */
  decide(run: string, decided: readonly Decided[], now: Date): Promise<void>;
  /**
   * Writes sales. A sale is a fact: it holds for any open lead, whoever owns it. The last that the plan allows
   * ends the lead; before that it stays with its run.
   */
  sell(sold: readonly Sold[], now: Date): Promise<void>;
  /** Hands leads to the durable lane. */
  hand(
    run: string,
    handed: readonly { leadId: string; trail: TrailEntry[] }[],
    now: Date,
  ): Promise<void>;
  /** Takes back leads that no run has taken; true to its name only for those it returns. */
  withdraw(ids: readonly string[], now: Date): Promise<Set<string>>;
  /** Marks undecided leads as answered `pending`. */
  promise(ids: readonly string[], now: Date): Promise<void>;
  answers(ids: readonly string[]): Promise<Map<string, LeadAnswer>>;
  getMany(ids: readonly string[]): Promise<Map<string, Lead>>;
}

/** Its delivery row says when it goes on. */
const WAITING_STATUSES = ['PENDING', 'SELLING'] as const satisfies readonly LeadStatus[];

const ANSWER_FIELDS = {
  campaign_id: 1,
  supplier_id: 1,
  status: 1,
  buyer_id: 1,
  duplicate_of: 1,
  replay_of: 1,
  filter_errors: 1,
  refusal: 1,
  pending_at: 1,
  run: 1,
  body_hash: 1,
} as const;

export function leadStore(leads: Collection<Lead>): LeadStore {
  const bulk = async (operations: AnyBulkWriteOperation<Lead>[]): Promise<void> => {
    if (operations.length > 0) await leads.bulkWrite(operations, { ordered: false });
  };
  return {
    async insert(docs) {
      try {
        await leads.insertMany([...docs], { ordered: false });
      } catch (error) {
        failedInserts(error, docs);
      }
    },
    async take(ids, run, leaseUntil, now) {
      await leads.updateMany(
        {
          _id: { $in: [...ids] },
          $or: [
            { status: 'NEW', run: null, take_by: { $gt: now } },
            { status: { $in: [...OPEN_STATUSES] }, run: { $ne: null }, lease_until: { $lte: now } },
          ],
        },
        { $set: { run, lease_until: leaseUntil }, $inc: { takes: 1 } },
      );
      return leads.find({ _id: { $in: [...ids] } }).toArray();
    },
    async takePending(ids, run, leaseUntil, now) {
      await leads.updateMany(
        {
          _id: { $in: [...ids] },
          status: { $in: [...WAITING_STATUSES] },
          $or: [{ run: null }, { lease_until: { $lte: now } }],
        },
        { $set: { run, lease_until: leaseUntil }, $inc: { takes: 1 } },
      );
      return leads.find({ _id: { $in: [...ids] }, run }).toArray();
    },
    async extendLease(ids, run, leaseUntil) {
      const result = await leads.updateMany(
        { _id: { $in: [...ids] }, run },
        { $max: { lease_until: leaseUntil } },
      );
      return result.matchedCount;
    },
    async decide(run, decided, now) {
      await bulk(
        decided.map(({ leadId, status, reason, buyerId, trail, set }) => ({
          updateOne: {
            filter: { _id: leadId, run, status: { $in: [...OPEN_STATUSES] } },
            update: [
              {
                $set: {
                  ...literals({ ...set }),
                  decided_at: { $ifNull: ['$decided_at', now] },
                  status: promised(status),
                  run: null,
                  lease_until: null,
                  trail: {
                    $concatArrays: [
                      '$trail',
                      { $literal: trail },
                      [closing(status, { at: now, reason, buyer_id: buyerId })],
                    ],
                  },
                },
              },
            ],
          },
        })),
      );
    },
    async sell(sold, now) {
      await bulk(
        sold.map(({ leadId, maxSells, sale, profit, trail }) => ({
          updateOne: {
            // A repeated call finds its sale, and a lead met twice is not sold twice.
            filter: {
              _id: leadId,
              status: { $in: [...OPEN_STATUSES] },
              'sales.attempt': { $ne: sale.attempt },
            },
            update: [
              { $set: { more: { $lt: [{ $add: [{ $size: '$sales' }, 1] }, maxSells] } } },
              {
                $set: {
                  status: { $cond: ['$more', 'SELLING', 'ACCEPTED'] },
                  run: { $cond: ['$more', '$run', null] },
                  lease_until: { $cond: ['$more', '$lease_until', null] },
                  buyer_id: { $ifNull: ['$buyer_id', sale.buyer_id] },
                  price: { $add: ['$price', sale.price] },
                  cost: { $add: ['$cost', sale.cost] },
                  profit: { $add: ['$profit', profit] },
                  decided_at: { $ifNull: ['$decided_at', now] },
                  sales: { $concatArrays: ['$sales', [{ $literal: sale }]] },
                  trail: { $concatArrays: ['$trail', { $literal: trail }] },
                },
              },
              { $unset: 'more' },
            ],
          },
        })),
      );
    },
    async hand(run, handed, now) {
      await bulk(
        handed.map(({ leadId, trail }) => ({
          updateOne: {
            filter: { _id: leadId, run, status: { $in: [...OPEN_STATUSES] } },
            update: [
              {
                $set: {
                  status: { $cond: [IS_SOLD, 'SELLING', 'PENDING'] },
                  // A lead that is sold was told so: nothing is promised.
                  pending_at: {
                    $cond: [IS_SOLD, '$pending_at', { $ifNull: ['$pending_at', now] }],
                  },
                  run: null,
                  lease_until: null,
                  trail: { $concatArrays: ['$trail', { $literal: trail }] },
                },
              },
            ],
          },
        })),
      );
    },
    async withdraw(ids, now) {
      await leads.updateMany(
        { _id: { $in: [...ids] }, status: 'NEW', run: null, pending_at: { $exists: false } },
        { $set: { status: 'WITHDRAWN', decided_at: now } },
      );
      const withdrawn = await leads
        .find({ _id: { $in: [...ids] }, status: 'WITHDRAWN' }, { projection: { _id: 1 } })
        .toArray();
      return new Set(withdrawn.map((lead) => lead._id));
    },
    async promise(ids, now) {
      await leads.updateMany(
        { _id: { $in: [...ids] }, status: 'NEW', run: { $ne: null } },
        { $set: { status: 'PENDING', pending_at: now } },
      );
    },
    async answers(ids) {
      const found = await leads
        .find({ _id: { $in: [...ids] } }, { projection: ANSWER_FIELDS })
        .toArray();
      return new Map(found.map((lead) => [lead._id, lead]));
    },
    async getMany(ids) {
      const found = await leads.find({ _id: { $in: [...ids] } }).toArray();
      return new Map(found.map((lead) => [lead._id, lead]));
    },
  };
}

const closing = (status: Decided['status'], detail: Record<string, unknown>): unknown => ({
  ...literals(detail),
  step: 'closing',
  result: promised(status),
});

const IS_SOLD = { $eq: ['$status', 'SELLING'] };

/**
 * A promise of a decision ends in ACCEPTED or EXPIRED (design rule 5); the trail says why. What was sold is
 * accepted, whatever became of its further sales.
 */
const promised = (status: Decided['status']): unknown => ({
  $cond: [IS_SOLD, 'ACCEPTED', { $cond: [{ $gt: ['$pending_at', null] }, 'EXPIRED', status] }],
});

/** Values for a pipeline stage, in which a text that starts with `$` would be read as a path. */
function literals(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => [key, { $literal: value }]),
  );
}
