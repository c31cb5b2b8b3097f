/** Leads after their sale: read for a change, and changed by compare-and-set. */
import type { AnyBulkWriteOperation, Collection } from 'mongodb';
import type { ChangeEvent } from '../rules/changedLead.js';
import type { EventSubscriptions } from '../../events/rules/events.js';
import type { OutboxEvent } from '../../events/rules/leadFacts.js';
import type { Lead } from '../rules/lead.js';
import type { TrailEntry } from '../rules/trail.js';
import type { AppliedChange } from '../rules/saleChange.js';
import { NO_OUTBOX, type LeadOutbox } from './leads.js';
import { pickDefined } from '../../lib/defined.js';
import { findByIds } from '../../platform/mongo/findByIds.js';
import { groupUpdates } from '../../platform/mongo/groupUpdates.js';
import { appended, RECOUNT } from './leadUpdates.js';
import type { Projected } from '../../platform/mongo/projected.js';

/** A lead as it was read and as it is to become. */
export interface LeadChange {
  read: SoldLead;
  next: SoldLead;
  trail: TrailEntry[];
  applied: AppliedChange[];
  /** The events that report it, in order. */
  events: ChangeEvent[];
}

const FIELDS = {
  org_id: 1,
  campaign_id: 1,
  supplier_id: 1,
  plan_version: 1,
  status: 1,
  is_test: 1,
  sales: 1,
  price: 1,
  cost: 1,
  profit: 1,
  outcome: 1,
  outcome_at: 1,
  outcome_seq: 1,
  converted_at: 1,
  outcome_due: 1,
  changes: 1,
  applied: 1,
  event_seq: 1,
} as const;

/** A sold lead without the fields that no change reads. */
export type SoldLead = Projected<Lead, typeof FIELDS>;

export type SoldLeadStore = ReturnType<typeof createSoldLeadStore>;

export function createSoldLeadStore(leads: Collection<Lead>, outbox: LeadOutbox = NO_OUTBOX) {
  const bulk = async (operations: AnyBulkWriteOperation<Lead>[]): Promise<number> =>
    operations.length === 0
      ? 0
      : (await leads.bulkWrite(operations, { ordered: false })).matchedCount;
  return {
    get: (ids: readonly string[]): Promise<Map<string, SoldLead>> =>
      findByIds(leads, ids, { projection: FIELDS }),
    /** Writes the leads that have not changed since they were read. True when that was all of them. */
    async change(changes: readonly LeadChange[]): Promise<boolean> {
      const subscriptions = await outbox.readSubscriptions(changes.map(({ read }) => read.org_id));
      const prepared = changes.map((change) => ({
        ...change,
        outboxEvents: outboxEventsOf(change, subscriptions),
      }));
      const written = await bulk(changeUpdates(prepared));
      const publishing = prepared.filter(({ outboxEvents }) => outboxEvents.length > 0);
      if (publishing.length > 0) outbox.relay(publishing.map(({ read }) => read._id));
      return written === changes.length;
    },
    /** Removes the notes of changes whose own documents are marked by now. */
    async confirm(leadIds: readonly string[], changeIds: readonly string[]): Promise<void> {
      if (changeIds.length === 0) return;
      await leads.updateMany(
        { _id: { $in: [...leadIds] } },
        { $pull: { applied: { id: { $in: [...changeIds] } } } },
      );
    },
    /** Leads whose conversion window has ended by then, the longest over first. */
    async due(until: Date, limit: number): Promise<SoldLead[]> {
      return leads
        .find({ outcome_due: { $lte: until } })
        .project<SoldLead>(FIELDS)
        .sort({ outcome_due: 1 })
        .limit(limit)
        .toArray();
    },
    /** Sets when their first open window ends; undefined: they wait for no outcome. */
    async settle(
      ends: readonly { lead: SoldLead; outcome_due: Date | undefined }[],
    ): Promise<void> {
      await bulk(
        ends.map(({ lead, outcome_due }) => ({
          updateOne: {
            filter: { _id: lead._id, ...versionOf(lead) },
            update: outcome_due ? { $set: { outcome_due } } : { $unset: { outcome_due: 1 } },
          },
        })),
      );
    },
  };
}

/** Matches an unchanged lead: a sale increases `changes`, a change of one `outcome_seq`. */
const versionOf = ({ changes, outcome_seq }: SoldLead) => ({
  changes: changes ?? { $exists: false },
  outcome_seq: outcome_seq ?? { $exists: false },
});

/** Events that have subscribers, numbered after the lead's earlier ones. */
function outboxEventsOf(
  { read, events }: LeadChange,
  subscriptions: EventSubscriptions,
): OutboxEvent[] {
  const untold: OutboxEvent[] = [];
  for (const event of events) {
    const event_seq = untold.at(-1)?.n ?? read.event_seq;
    const one = buildOutboxEvent({ ...read, event_seq }, subscriptions, event);
    if (one) untold.push(one);
  }
  return untold;
}

/**
 * The event of a change, numbered; null without subscribers, and for the outcome of a test lead, which is never
 * published (contract 8.1). Write it in the very update that makes the change, which must find the lead as it was
 * read: `$push: { untold: event }, $set: { event_seq: event.n }`.
 */
export function buildOutboxEvent(
  lead: Pick<Lead, 'org_id' | 'is_test' | 'event_seq'>,
  subscriptions: EventSubscriptions,
  { type, at, data }: ChangeEvent,
): OutboxEvent | null {
  if (!(subscriptions.get(type) ?? []).includes(lead.org_id)) return null;
  if (type === 'lead.outcome' && lead.is_test) return null;
  return { n: (lead.event_seq ?? 0) + 1, type, at, data };
}

type PreparedChange = LeadChange & { outboxEvents: OutboxEvent[] };

/**
 * One update for all changes of a lead in a group: sums and sales, trail, notes and events are never apart. Leads
 * without subscribers that were changed equally often share a statement.
 */
function changeUpdates(changes: readonly PreparedChange[]): AnyBulkWriteOperation<Lead>[] {
  const ids = changes.flatMap(({ applied }) => applied.map(({ id }) => id));
  return groupUpdates<Lead, PreparedChange>(
    changes,
    ({ read, next, trail, applied }) => ({
      id: read._id,
      values: { ...changedFields(next), trail, applied },
    }),
    ({ read, next, outboxEvents }) =>
      [
        outboxEvents.length > 0 ? read._id : '',
        read.changes,
        read.outcome_seq,
        ...Object.keys(changedFields(next)),
      ].join('/'),
    ({ read, next, outboxEvents }) => ({
      filter: { ...versionOf(read), 'applied.id': { $nin: ids } },
      stages: [
        {
          $set: {
            ...Object.fromEntries(
              Object.keys(changedFields(next)).map((key) => [key, `$own.${key}`]),
            ),
            outcome: { $ifNull: ['$own.outcome', '$$REMOVE'] },
            outcome_at: { $ifNull: ['$own.outcome_at', '$$REMOVE'] },
            converted_at: { $ifNull: ['$own.converted_at', '$$REMOVE'] },
            outcome_due: { $ifNull: ['$own.outcome_due', '$$REMOVE'] },
            applied: { $concatArrays: [{ $ifNull: ['$applied', []] }, '$own.applied'] },
            ...outboxStage(outboxEvents),
            ...RECOUNT,
            ...appended('$own.trail'),
          },
        },
      ],
    }),
  );
}

const CHANGED = [
  'sales',
  'price',
  'cost',
  'profit',
  'outcome',
  'outcome_at',
  'outcome_seq',
  'converted_at',
  'outcome_due',
] as const;

/** The values that a change sets; an absent one stays as it is, except an outcome and times, which end with their reason. */
const changedFields = (next: SoldLead): Partial<SoldLead> => pickDefined(next, CHANGED);

/** Empty without subscribers: the update is the same as without events. */
const outboxStage = (events: readonly OutboxEvent[]): Record<string, unknown> =>
  events.length === 0
    ? {}
    : {
        untold: { $concatArrays: [{ $ifNull: ['$untold', []] }, { $literal: events }] },
        event_seq: events.at(-1)?.n,
      };
