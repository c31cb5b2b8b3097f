/** Changes of sales: stored before they are applied, and marked when they are. */
import type { AnyBulkWriteOperation, Collection } from 'mongodb';
import type { AppliedChange } from '../../leads/rules/saleChange.js';
import { groupUpdates } from '../../platform/mongo/groupUpdates.js';
import { failedInserts } from '../../platform/mongo/failedInserts.js';
import type { ChangeDoc, ChangeRef } from './outcomeDocs.js';

/** `seq` is absent where there was nothing to change. */
export type MadeChange = Omit<AppliedChange, 'seq'> & { seq?: number };

export interface OutcomeStore {
  /**
   * Inserts changes and returns those whose id existed: an earlier request, perhaps in this very call, asked for the
   * same change.
   */
  insert(changes: readonly ChangeDoc[]): Promise<Set<ChangeDoc>>;
  get(ids: readonly string[]): Promise<Map<string, ChangeDoc>>;
  /** The changes of these leads that are still to be applied. */
  openOf(leadIds: readonly string[]): Promise<ChangeDoc[]>;
  /** Marks them as applied; one that is marked already stays as it is. */
  made(changes: readonly MadeChange[]): Promise<void>;
  /** Deletes changes that cannot be applied, as if they had never been requested. */
  forget(ids: readonly string[]): Promise<void>;
  /** Changes that were received before then and are still to be applied, the oldest first. */
  left(before: Date, limit: number): Promise<ChangeRef[]>;
}

export function createOutcomeStore(outcomes: Collection<ChangeDoc>): OutcomeStore {
  return {
    async insert(changes) {
      if (changes.length === 0) return new Set();
      try {
        await outcomes.insertMany([...changes], { ordered: false });
        return new Set();
      } catch (error) {
        return new Set(failedInserts(error, changes));
      }
    },
    async get(ids) {
      const found = await outcomes.find({ _id: { $in: [...ids] } }).toArray();
      return new Map(found.map((change) => [change._id, change]));
    },
    async openOf(leadIds) {
      return outcomes.find({ lead_id: { $in: [...leadIds] }, state: 'open' }).toArray();
    },
    async made(changes) {
      if (changes.length === 0) return;
      await outcomes.bulkWrite(madeUpdates(changes), { ordered: false });
    },
    async forget(ids) {
      if (ids.length === 0) return;
      await outcomes.deleteMany({ _id: { $in: [...ids] }, state: 'open' });
    },
    async left(before, limit) {
      return outcomes
        .find({ state: 'open', received_at: { $lt: before } })
        .project<ChangeRef>({ org_id: 1, campaign_id: 1, lead_id: 1 })
        .sort({ received_at: 1 })
        .limit(limit)
        .toArray();
    },
  };
}

/** Those that changed their lead share a statement, and so do those that did not. */
const madeUpdates = (changes: readonly MadeChange[]): AnyBulkWriteOperation<ChangeDoc>[] =>
  groupUpdates<ChangeDoc, MadeChange>(
    changes,
    ({ id, ...values }) => ({ id, values }),
    ({ seq }) => String(seq !== undefined),
    ({ seq }) => ({
      filter: { state: 'open' },
      stages: [
        {
          $set: {
            state: 'made',
            answer: '$own.answer',
            seq: seq === undefined ? undefined : '$own.seq',
          },
        },
      ],
    }),
  );
