/** Changes of sales: stored before they are applied, and marked when they are. */
import type { AnyBulkWriteOperation, Collection } from 'mongodb';
import type { AppliedChange } from '../../leads/rules/saleChange.js';
import { groupUpdates } from '../../platform/mongo/groupUpdates.js';
import { findByIds } from '../../platform/mongo/findByIds.js';
import { failedInserts } from '../../platform/mongo/failedInserts.js';
import type { ChangeDoc, ChangeRef } from './outcomeDocs.js';

/** `seq` is absent where there was nothing to change. */
export type MadeChange = Omit<AppliedChange, 'seq'> & { seq?: number };

export type OutcomeStore = ReturnType<typeof createOutcomeStore>;

export function createOutcomeStore(outcomes: Collection<ChangeDoc>) {
  return {
    /**
     * Inserts changes and returns those whose id existed: an earlier request, perhaps in this call, made the same
     * change.
     */
    async insert(changes: readonly ChangeDoc[]): Promise<Set<ChangeDoc>> {
      if (changes.length === 0) return new Set();
      try {
        await outcomes.insertMany([...changes], { ordered: false });
        return new Set();
      } catch (error) {
        return new Set(failedInserts(error, changes));
      }
    },
    get: (ids: readonly string[]): Promise<Map<string, ChangeDoc>> => findByIds(outcomes, ids),
    /** The changes of these leads that are still to be applied. */
    async openOf(leadIds: readonly string[]): Promise<ChangeDoc[]> {
      return outcomes.find({ lead_id: { $in: [...leadIds] }, state: 'open' }).toArray();
    },
    /** Marks them as applied; one that is marked already stays as it is. */
    async made(changes: readonly MadeChange[]): Promise<void> {
      if (changes.length === 0) return;
      await outcomes.bulkWrite(madeUpdates(changes), { ordered: false });
    },
    /** Deletes changes that cannot be applied, as if they had never been requested. */
    async forget(ids: readonly string[]): Promise<void> {
      if (ids.length === 0) return;
      await outcomes.deleteMany({ _id: { $in: [...ids] }, state: 'open' });
    },
    /** Changes that were received before then and are still to be applied, the oldest first. */
    async left(before: Date, limit: number): Promise<ChangeRef[]> {
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
