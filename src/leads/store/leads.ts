/** Leads: acquires them for a run, updates them, and reads their status. */
import type { AnyBulkWriteOperation, Collection } from 'mongodb';
import type { Lead } from '../rules/lead.js';
import { type LeadStatus, OPEN_STATUSES } from '../rules/leadStatus.js';
import type { LeadPing } from '../rules/leadPing.js';
import { type EventSubscriptions, NO_SUBSCRIPTIONS } from '../../events/rules/events.js';
import { insertNew } from '../../platform/mongo/insertNew.js';
import { DURABLE } from '../../platform/mongo/readConcern.js';
import {
  decisionUpdate,
  parkUpdate,
  mayPublish,
  promiseUpdate,
  saleUpdates,
  type Decided,
  type ParkedLead,
  type Routed,
  type Sold,
} from './leadUpdates.js';
import { findByIds } from '../../platform/mongo/findByIds.js';
import type { Projected } from '../../platform/mongo/projected.js';

/** Which events of leads have subscribers, and how written events are relayed. */
export interface LeadOutbox {
  readSubscriptions(orgIds: readonly string[]): Promise<EventSubscriptions>;
  /** These leads may have outbox events. Runs in the background, and never throws. */
  relay(leadIds: readonly string[]): void;
}

export const NO_OUTBOX: LeadOutbox = {
  readSubscriptions: () => Promise.resolve(NO_SUBSCRIPTIONS),
  relay: () => undefined,
};

/** Its delivery row determines when it continues. */
const WAITING_STATUSES = ['PENDING', 'SELLING'] as const satisfies readonly LeadStatus[];

/** The fields of a lead that its answer needs. */
export const ANSWER_FIELDS = {
  campaign_id: 1,
  supplier_id: 1,
  status: 1,
  buyer_id: 1,
  duplicate_of: 1,
  replay_of: 1,
  filter_errors: 1,
  refusal: 1,
  pending_at: 1,
  decided_at: 1,
  run: 1,
  body_hash: 1,
  'ping.reveal_buyers': 1,
} as const;

/** The fields that make up a supplier's answer. */
export type LeadAnswer = Projected<Lead, typeof ANSWER_FIELDS> & {
  ping?: Pick<LeadPing, 'reveal_buyers'>;
};

const idOf = ({ leadId }: { leadId: string }): string => leadId;

/** A lead without its flag would be sold as a live one, whatever it was admitted as. */
function checkFlag({ _id, is_test }: { _id: string; is_test: unknown }): void {
  if (typeof is_test !== 'boolean') throw new Error(`is_test of lead ${_id} must be true or false`);
}

/**
 * Changes of a lead that have subscribers are written as outbox events in the same update. A caller that makes several
 * changes passes the subscriptions that it has read once; without them, each change reads those of its leads.
 */
export type LeadStore = ReturnType<typeof createLeadStore>;

export const createLeadStore = (leads: Collection<Lead>, outbox: LeadOutbox = NO_OUTBOX) => ({
  ...createLeases(leads),
  ...createTransitions(leads, outbox),
  ...createWithdrawals(leads),
  /** Stores new leads. A lead that is stored already (a repeated call) counts as stored. */
  async insert(docs: readonly Lead[]): Promise<void> {
    docs.forEach(checkFlag);
    await insertNew(leads, docs);
  },
  answers: (ids: readonly string[]): Promise<Map<string, LeadAnswer>> =>
    findByIds(leads, ids, { ...DURABLE, projection: ANSWER_FIELDS }),
  getMany: (ids: readonly string[]): Promise<Map<string, Lead>> => findByIds(leads, ids),
});

/** Leads leased to a run: no other run works on them until the lease ends. */
function createLeases(leads: Collection<Lead>) {
  return {
    /**
     * Leases the leads to this run. It acquires new leads in time, and leads whose earlier run let its lease end.
     * @returns all that are stored, with the run that has each
     */
    async acquire(
      ids: readonly string[],
      run: string,
      leaseUntil: Date,
      now: Date,
    ): Promise<Lead[]> {
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
      return leads.find({ _id: { $in: [...ids] } }, DURABLE).toArray();
    },
    /**
     * The same for leads that the caller has just stored: they are read only if another run has acquired some, or the
     * time to acquire them is over.
     */
    async acquireStored(
      stored: readonly Lead[],
      run: string,
      leaseUntil: Date,
      now: Date,
    ): Promise<Lead[]> {
      const ids = stored.map((lead) => lead._id);
      const { matchedCount } = await leads.updateMany(
        { _id: { $in: ids }, status: 'NEW', run: null, take_by: { $gt: now } },
        { $set: { run, lease_until: leaseUntil }, $inc: { takes: 1 } },
      );
      if (matchedCount < ids.length) return leads.find({ _id: { $in: ids } }, DURABLE).toArray();
      return stored.map((lead) => {
        const takes = lead.takes + 1;
        return { ...lead, run, lease_until: leaseUntil, takes };
      });
    },
    /** Acquires leads that wait in the durable lane, for their sale or a further one. */
    async acquireWaiting(
      ids: readonly string[],
      run: string,
      leaseUntil: Date,
      now: Date,
    ): Promise<Lead[]> {
      await leads.updateMany(
        {
          _id: { $in: [...ids] },
          status: { $in: [...WAITING_STATUSES] },
          $or: [{ run: null }, { lease_until: { $lte: now } }],
        },
        { $set: { run, lease_until: leaseUntil }, $inc: { takes: 1 } },
      );
      return leads.find({ _id: { $in: [...ids] }, run }, DURABLE).toArray();
    },
    /** Extends the lease of the leads that this run still has, and returns their number. */
    async extendLease(ids: readonly string[], run: string, leaseUntil: Date): Promise<number> {
      const result = await leads.updateMany(
        { _id: { $in: [...ids] }, run },
        { $max: { lease_until: leaseUntil } },
      );
      return result.matchedCount;
    },
  };
}

/** Changes of leads by their runs, with the events that report them. */
function createTransitions(leads: Collection<Lead>, outbox: LeadOutbox) {
  const bulk = async (operations: AnyBulkWriteOperation<Lead>[]): Promise<void> => {
    if (operations.length > 0) await leads.bulkWrite(operations, { ordered: false });
  };
  const relay = (leadIds: readonly string[]): void => {
    if (leadIds.length > 0) outbox.relay(leadIds);
  };
  const subscriptionsTo = async (ids: readonly string[]): Promise<EventSubscriptions> =>
    outbox.readSubscriptions(await leads.distinct('org_id', { _id: { $in: [...ids] } }));
  return {
    /** Subscriptions to events of these leads. The read begins at once; a caller that does not need it need not wait. */
    readSubscriptions(some: readonly Pick<Lead, 'org_id'>[]): Promise<EventSubscriptions> {
      const subscriptions =
        some.length === 0
          ? Promise.resolve(NO_SUBSCRIPTIONS)
          : outbox.readSubscriptions(some.map((one) => one.org_id));
      // A caller that awaits it gets the failure; a run that ends before does not need it.
      subscriptions.catch(() => undefined);
      return subscriptions;
    },
    /**
     * Writes final states; each only while `run` still owns the lead. A lead that is sold already becomes ACCEPTED,
     * whatever ended its further sales.
     */
    async decide(
      run: string,
      decided: readonly Decided[],
      now: Date,
      known?: Promise<EventSubscriptions>,
    ): Promise<void> {
      if (decided.length === 0) return;
      const subscriptions = await (known ?? subscriptionsTo(decided.map(idOf)));
      await bulk(decided.map((one) => decisionUpdate(one, run, now, subscriptions)));
      relay(decided.filter((one) => mayPublish.decision(one, now, subscriptions)).map(idOf));
    },
    /**
     * Writes sales. A sale is a fact: it holds for any open lead, whichever run owns it. The last that the plan allows
     * ends the lead; before that it stays with its run.
     */
    async sell(
      sold: readonly Sold[],
      now: Date,
      known?: Promise<EventSubscriptions>,
    ): Promise<void> {
      if (sold.length === 0) return;
      const subscriptions = await (known ?? subscriptionsTo(sold.map(idOf)));
      await bulk(saleUpdates(sold, now, subscriptions));
      relay(sold.filter((one) => mayPublish.sale(one, now, subscriptions)).map(idOf));
    },
    /** Binds repeats to the buyers of their originals, before anything is offered. */
    async route(run: string, routed: readonly Routed[]): Promise<void> {
      await bulk(
        routed.map(({ leadId, duplicate_of, route_to }) => ({
          updateOne: { filter: { _id: leadId, run }, update: { $set: { duplicate_of, route_to } } },
        })),
      );
    },
    /** Parks leads in the durable lane. */
    async park(
      run: string,
      parked: readonly ParkedLead[],
      now: Date,
      known?: Promise<EventSubscriptions>,
    ): Promise<void> {
      if (parked.length === 0) return;
      const subscriptions = await (known ?? subscriptionsTo(parked.map(idOf)));
      await bulk(parked.map((one) => parkUpdate(one, run, now, subscriptions)));
      if (mayPublish.creation(now, subscriptions)) relay(parked.map(idOf));
    },
    /** Marks undecided leads as answered `pending`. */
    async promise(ids: readonly string[], now: Date): Promise<void> {
      const subscriptions = await subscriptionsTo(ids);
      await leads.updateMany(
        { _id: { $in: [...ids] }, status: 'NEW', run: { $ne: null } },
        promiseUpdate(now, subscriptions),
      );
      if (mayPublish.creation(now, subscriptions)) relay(ids);
    },
  };
}

/** Withdraws leads that no run has begun to decide: for those a 503 is true. */
function createWithdrawals(leads: Collection<Lead>) {
  const withdraw = async (
    ids: readonly string[],
    runs: readonly (string | null)[],
    now: Date,
  ): Promise<Set<string>> => {
    const isIdle = { run: { $in: [...runs] }, pending_at: { $exists: false } };
    await leads.updateMany(
      { _id: { $in: [...ids] }, status: 'NEW', ...isIdle },
      { $set: withdrawn(now) },
    );
    const found = await leads
      .find({ _id: { $in: [...ids] }, status: 'WITHDRAWN' }, { ...DURABLE, projection: { _id: 1 } })
      .toArray();
    return new Set(found.map((lead) => lead._id));
  };
  return {
    /** Withdraws leads that no run has acquired, and returns those; the others are unchanged. */
    withdraw: (ids: readonly string[], now: Date): Promise<Set<string>> =>
      withdraw(ids, [null], now),
    /**
     * The same for leads of a run that was called off. Those that are not stored are inserted as withdrawn: an insertion
     * that is still on its way then changes nothing.
     */
    async withdrawCalledOff(docs: readonly Lead[], run: string, now: Date): Promise<Set<string>> {
      const idsOf = (some: readonly Lead[]) => some.map((lead) => lead._id);
      const stored = await withdraw(idsOf(docs), [null, run], now);
      const missing = docs.filter(({ _id }) => !stored.has(_id));
      if (missing.length === 0) return stored;
      await insertNew(
        leads,
        missing.map((lead) => ({ ...lead, ...withdrawn(now) })),
      );
      // One may have been stored in between.
      return stored.union(await withdraw(idsOf(missing), [null, run], now));
    },
    /** Deletes leads that no run has acquired, as if they had never arrived. */
    async discard(ids: readonly string[]): Promise<void> {
      await leads.deleteMany({ _id: { $in: [...ids] }, status: 'NEW', run: null });
    },
  };
}

const withdrawn = (now: Date) => ({
  status: 'WITHDRAWN' as const,
  decided_at: now,
  run: null,
  lease_until: null,
});
