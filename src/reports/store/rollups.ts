/**
 * Keeps the roll-ups: each change of a lead is added once, whichever process does it and wherever it stops. A batch is
 * stored under the next number before it is applied; sums and leads record the number, so that the
 * batch can be applied again, by several processes at once and late, and adds nothing twice.
 */
import type { AnyBulkWriteOperation, BulkWriteResult, ClientSession } from 'mongodb';
import type { Lead } from '../../leads/rules/lead.js';
import { entriesOf } from '../rules/rollups.js';
import type { LeadCollections } from '../../leads/store/collections.js';
import type { PingCollections } from '../../pings/store/collections.js';
import type { ReportCollections } from './collections.js';
import { isDuplicateKey } from '../../platform/mongo/databaseErrors.js';
import { failedInserts } from '../../platform/mongo/failedInserts.js';
import { groupUpdates } from '../../platform/mongo/groupUpdates.js';
import type { PingDoc } from '../../pings/store/pingDocs.js';
import type {
  CountedItem,
  Counting,
  RollupBatch,
  RollupChange,
  RollupStateDoc,
} from './rollupDocs.js';

type RollupCollections = Pick<
  LeadCollections & PingCollections & ReportCollections,
  'leads' | 'pings' | 'rollups' | 'pingRollups' | 'rollupState'
>;

/** Milliseconds after which a new sum is first compared with its leads. */
const FIRST_RECOUNT_MS = 600_000;

export function createRollupStore(
  { collections, clock }: { collections: RollupCollections; clock: { now(): Date } },
  counting: Counting = 'leads',
) {
  const { rollupState } = collections;
  const finish = async ({ seq, batch }: RollupStateDoc): Promise<void> => {
    if (!batch) return;
    await carryOut(collections, seq, batch, new Date(Number(clock.now()) + FIRST_RECOUNT_MS));
    await rollupState.updateOne({ _id: counting, seq }, { $set: { batch: null } });
  };
  return {
    /** The latest number, after an unfinished batch was finished. */
    async settled(): Promise<number> {
      const found = await rollupState.findOne({ _id: counting });
      const state = found ?? (await begin(collections, counting));
      await finish(state);
      return state.seq;
    },
    /** True when no batch was being applied at the time of the session. */
    async isSettled(session: ClientSession): Promise<boolean> {
      const begun = { _id: counting, batch: { $ne: null } };
      return (await rollupState.findOne(begun, { session, projection: { _id: 1 } })) === null;
    },
    /**
     * Applies a batch.
     * @param after the number that was the latest when its leads were read
     * @returns false when there was another since then: nothing was done, and the leads must be read again
     */
    async commit(after: number, batch: RollupBatch): Promise<boolean> {
      const seq = after + 1;
      const result = await rollupState.updateOne(
        { _id: counting, seq: after, batch: null },
        { $set: { seq, batch } },
      );
      if (result.modifiedCount === 0) return false;
      await finish({ _id: counting, seq, batch });
      return true;
    },
  };
}

/** For the first run on this database: leads that were decided before there were roll-ups are counted, too. */
async function begin(
  { leads, rollupState }: RollupCollections,
  counting: Counting,
): Promise<RollupStateDoc> {
  if (counting === 'leads')
    await leads.updateMany(
      { changes: { $exists: false }, status: { $nin: ['NEW', 'WITHDRAWN'] } },
      { $set: { uncounted: true, changes: 1 } },
    );
  const state: RollupStateDoc = { _id: counting, seq: 0, batch: null };
  try {
    await rollupState.insertOne(state);
    return state;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return (await rollupState.findOne({ _id: counting })) ?? state;
  }
}

/** The sums first: the contribution in them is then stored with each lead, or ping. */
async function carryOut(
  { leads, pings, rollups, pingRollups }: RollupCollections,
  seq: number,
  batch: RollupBatch,
  recount_at: Date,
): Promise<void> {
  const options = { ordered: false };
  if ('pings' in batch) {
    const additions = batch.ping_rows.map(({ sums, ...row }) =>
      adding(row, { seq, recount_at, by: withPrefix('sums', sums) }),
    );
    await once(additions, (operations) => pingRollups.bulkWrite(operations, options));
    const marks = marking<PingDoc>(batch.pings, seq);
    if (marks.length > 0) await pings.bulkWrite(marks, options);
    return;
  }
  const additions = batch.rows.map(({ by_status, ...row }) =>
    adding(row, { seq, recount_at, by: increments(by_status) }),
  );
  await once(additions, (operations) => rollups.bulkWrite(operations, options));
  const marks = marking<Lead>(batch.leads, seq);
  if (marks.length > 0) await leads.bulkWrite(marks, options);
}

const adding = <Place extends { _id: string; facet: string }>(
  { _id, ...place }: Place,
  { seq, recount_at, by }: { seq: number; recount_at: Date; by: Record<string, number> },
) => ({
  updateOne: {
    filter: { _id, seq: { $lt: seq } },
    update: {
      $set: { seq },
      $setOnInsert: { ...place, recount_at: place.facet === 'all' ? recount_at : undefined },
      $inc: by,
    },
    upsert: true,
  },
});

/**
 * A sum with this number or a later one contains the batch already.
 * @throws the error of a write that did not reach MongoDB or that was not acknowledged: the batch stays, and is applied again
 */
async function once<Operation>(
  operations: Operation[],
  write: (operations: Operation[]) => Promise<BulkWriteResult>,
): Promise<void> {
  if (operations.length === 0) return;
  try {
    await write(operations);
  } catch (error) {
    failedInserts(error, operations);
  }
}

const increments = (by_status: RollupChange['by_status']): Record<string, number> =>
  Object.assign(
    {},
    ...entriesOf(by_status).map(([status, sums]) => withPrefix(`by_status.${status}`, sums)),
  ) as Record<string, number>;

const withPrefix = (prefix: string, sums: object): Record<string, number> =>
  Object.fromEntries(
    Object.entries(sums).map(([name, by]): [string, number] => [`${prefix}.${name}`, Number(by)]),
  );

/** An item that has changed since it was read stays marked; the contribution in the sums is stored in any case. */
const marking = <Doc extends { _id: string }>(
  counted: readonly CountedItem<unknown>[],
  seq: number,
): AnyBulkWriteOperation<Doc>[] =>
  groupUpdates<Doc, CountedItem<unknown>>(
    counted,
    ({ _id: id, changes, contribution }) => ({ id, values: { changes, contribution } }),
    () => '',
    () => ({
      filter: { 'counted.seq': { $not: { $gte: seq } } },
      stages: [
        {
          $set: {
            counted: { seq, contribution: '$own.contribution' },
            uncounted: {
              $cond: [
                { $eq: [{ $ifNull: ['$changes', 0] }, '$own.changes'] },
                '$$REMOVE',
                '$uncounted',
              ],
            },
          },
        },
      ],
    }),
  );
