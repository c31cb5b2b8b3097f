/**
 * Keeps the roll-ups: each change of a lead is added once, whoever does it and wherever it stops. A batch is
 * written down under the next number before it is carried out; sums and leads remember the number, so that the
 * batch can be carried out again, by several at once and late, and adds nothing twice.
 */
import { MongoBulkWriteError } from 'mongodb';
import { entriesOf } from '../domain/rollups.js';
import type { Collections } from './collections.js';
import { DUPLICATE_KEY, isDuplicateKey } from './databaseErrors.js';
import type { CountedLead, RollupBatch, RollupChange, RollupStateDoc } from './rollupDocs.js';

type RollupCollections = Pick<Collections, 'leads' | 'rollups' | 'rollupState'>;

export interface RollupStore {
  /** The latest number, after an unfinished batch was finished. */
  settled(): Promise<number>;
  /** True when nothing was changed since `settled` said this number, and nothing is being changed. */
  isStill(seq: number): Promise<boolean>;
  /**
   * Carries a batch out.
   * @param after the number that was the latest when its leads were read
   * @returns false when there was another since then: nothing was done, and the leads are to be read again
   */
  commit(after: number, batch: RollupBatch): Promise<boolean>;
}

/** A new sum is compared with its leads after so long, in milliseconds. */
const FIRST_RECOUNT_MS = 600_000;

export function rollupStore(collections: RollupCollections, now: () => Date): RollupStore {
  const { rollupState } = collections;
  const finish = async ({ seq, batch }: RollupStateDoc): Promise<void> => {
    if (!batch) return;
    await addRows(collections, seq, batch.rows, new Date(Number(now()) + FIRST_RECOUNT_MS));
    await markLeads(collections, seq, batch.leads);
    await rollupState.updateOne({ _id: 'leads', seq }, { $set: { batch: null } });
  };
  return {
    async settled() {
      const state = (await rollupState.findOne({ _id: 'leads' })) ?? (await begin(collections));
      await finish(state);
      return state.seq;
    },
    async isStill(seq) {
      const state = await rollupState.findOne({ _id: 'leads' });
      return state?.seq === seq && state.batch === null;
    },
    async commit(after, batch) {
      const seq = after + 1;
      const result = await rollupState.updateOne(
        { _id: 'leads', seq: after, batch: null },
        { $set: { seq, batch } },
      );
      if (result.modifiedCount === 0) return false;
      await finish({ _id: 'leads', seq, batch });
      return true;
    },
  };
}

/** The first time on this database: leads that were decided before there were roll-ups are counted, too. */
async function begin({ leads, rollupState }: RollupCollections): Promise<RollupStateDoc> {
  await leads.updateMany(
    { changes: { $exists: false }, status: { $nin: ['NEW', 'WITHDRAWN'] } },
    { $set: { uncounted: true, changes: 1 } },
  );
  const state: RollupStateDoc = { _id: 'leads', seq: 0, batch: null };
  try {
    await rollupState.insertOne(state);
    return state;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return (await rollupState.findOne({ _id: 'leads' })) ?? state;
  }
}

async function addRows(
  { rollups }: RollupCollections,
  seq: number,
  rows: readonly RollupChange[],
  recount_at: Date,
): Promise<void> {
  if (rows.length === 0) return;
  const operations = rows.map(({ _id, by_status, ...place }) => ({
    updateOne: {
      filter: { _id, seq: { $lt: seq } },
      update: {
        $set: { seq },
        $setOnInsert: { ...place, ...(place.facet === 'all' ? { recount_at } : {}) },
        $inc: increments(by_status),
      },
      upsert: true,
    },
  }));
  try {
    await rollups.bulkWrite(operations, { ordered: false });
  } catch (error) {
    // It is there with this number or a later one: this batch was added to it before.
    if (!isAddedBefore(error)) throw error;
  }
}

const increments = (by_status: RollupChange['by_status']): Record<string, number> =>
  Object.fromEntries(
    entriesOf(by_status).flatMap(([status, sums]) =>
      Object.entries(sums).map(([sum, by]) => [`by_status.${status}.${sum}`, by]),
    ),
  );

const isAddedBefore = (error: unknown): boolean =>
  error instanceof MongoBulkWriteError &&
  [error.writeErrors].flat().every(({ code }) => code === DUPLICATE_KEY);

/** A lead that has changed since it was read stays marked; what the sums hold of it is written in any case. */
async function markLeads(
  { leads }: RollupCollections,
  seq: number,
  counted: readonly CountedLead[],
): Promise<void> {
  if (counted.length === 0) return;
  const operations = counted.map(({ _id, changes, contribution }) => ({
    updateOne: {
      filter: { _id, 'counted.seq': { $not: { $gte: seq } } },
      update: [
        {
          $set: {
            counted: { $literal: { seq, contribution } },
            uncounted: { $cond: [{ $eq: ['$changes', changes] }, '$$REMOVE', '$uncounted'] },
          },
        },
      ],
    },
  }));
  await leads.bulkWrite(operations, { ordered: false });
}
