/** Leads after their sale: read for a change, and changed by compare-and-set. */
import type { AnyBulkWriteOperation, Collection } from 'mongodb';
import type { ChangedLead } from '../domain/applyChange.js';
import type { Lead, TrailEntry } from '../domain/lead.js';
import type { AppliedChange } from '../domain/saleChange.js';
import { appended, literals, RECOUNT } from './leadUpdates.js';

/** A sold lead without what no change looks at. */
export type SoldLead = ChangedLead & Pick<Lead, 'org_id' | 'campaign_id' | 'changes' | 'applied'>;

/** A lead as it was read and as it is to be. */
export interface LeadChange {
  read: SoldLead;
  next: SoldLead;
  trail: TrailEntry[];
  applied: AppliedChange[];
}

export interface SoldLeadStore {
  get(ids: readonly string[]): Promise<Map<string, SoldLead>>;
  /** Writes those that nobody has changed since they were read. True when that was all of them. */
  change(changes: readonly LeadChange[]): Promise<boolean>;
  /** Takes away the notes of changes whose own documents are marked by now. */
  confirm(leadIds: readonly string[], changeIds: readonly string[]): Promise<void>;
  /** Those whose time for an outcome has ended by then, the longest over first. */
  due(until: Date, limit: number): Promise<SoldLead[]>;
  /** Of a lead that waits for no outcome: its time has no end any more. */
  settle(leads: readonly SoldLead[]): Promise<void>;
}

const FIELDS = {
  ...{ org_id: 1, campaign_id: 1, status: 1, is_test: 1, sales: 1, price: 1, cost: 1, profit: 1 },
  ...{ outcome: 1, outcome_at: 1, outcome_seq: 1, converted_at: 1, outcome_due: 1 },
  ...{ changes: 1, applied: 1 },
} as const;

export function soldLeadStore(leads: Collection<Lead>): SoldLeadStore {
  const bulk = async (operations: AnyBulkWriteOperation<Lead>[]): Promise<number> =>
    operations.length === 0
      ? 0
      : (await leads.bulkWrite(operations, { ordered: false })).matchedCount;
  return {
    async get(ids) {
      const found = await leads
        .find({ _id: { $in: [...ids] } })
        .project<SoldLead>(FIELDS)
        .toArray();
      return new Map(found.map((lead) => [lead._id, lead]));
    },
    async change(changes) {
      return (await bulk(changes.map(changeUpdate))) === changes.length;
    },
    async confirm(leadIds, changeIds) {
      if (changeIds.length === 0) return;
      await leads.updateMany(
        { _id: { $in: [...leadIds] } },
        { $pull: { applied: { id: { $in: [...changeIds] } } } },
      );
    },
    async due(until, limit) {
      return leads
        .find({ outcome_due: { $lte: until } })
        .project<SoldLead>(FIELDS)
        .sort({ outcome_due: 1 })
        .limit(limit)
        .toArray();
    },
    async settle(settled) {
      await bulk(
        settled.map((lead) => ({
          updateOne: { filter: unchanged(lead), update: { $unset: { outcome_due: 1 } } },
        })),
      );
    },
  };
}

/** Nobody has changed it: a sale counts in `changes`, a change of one in `outcome_seq`. */
const unchanged = ({ _id, changes, outcome_seq }: SoldLead) => ({
  _id,
  changes: changes ?? { $exists: false },
  outcome_seq: outcome_seq ?? { $exists: false },
});

/** One update for all changes of a lead in a group: sums and sales, trail and notes are never apart. */
function changeUpdate({ read, next, trail, applied }: LeadChange): AnyBulkWriteOperation<Lead> {
  const { sales, price, cost, profit, outcome, outcome_at, outcome_seq } = next;
  return {
    updateOne: {
      filter: { ...unchanged(read), 'applied.id': { $nin: applied.map(({ id }) => id) } },
      update: [
        {
          $set: {
            ...literals({ sales, price, cost, profit, outcome, outcome_at, outcome_seq }),
            converted_at: next.converted_at ?? '$$REMOVE',
            outcome_due: next.outcome_due ?? '$$REMOVE',
            applied: { $concatArrays: [{ $ifNull: ['$applied', []] }, { $literal: applied }] },
            ...RECOUNT,
            ...appended({ $literal: trail }),
          },
        },
      ],
    },
  };
}
