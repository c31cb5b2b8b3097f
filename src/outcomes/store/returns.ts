/** Returns, and the counters of their limits: a request and its place in the month are written together. */
import type { ClientSession, Filter, UpdateFilter } from 'mongodb';
import type { OutcomeCollections } from './collections.js';
import { isDuplicateKey, retryUpsert } from '../../platform/mongo/databaseErrors.js';
import type { ReturnDoc } from './returnDocs.js';
import { retryTransaction } from '../../platform/mongo/transaction.js';

/** The stored fields of a decision. */
export type Resolution = Pick<ReturnDoc, 'resolved_at' | 'resolved_by' | 'resolution_note'>;
export type Acceptance = Resolution & Pick<ReturnDoc, 'reverse_cost' | 'resell'>;

const BUSY =
  'Too many returns of this buyer arrive at the same time; nothing was stored. Call again.';

/** The returns of a lead, by any buyer: their ids begin with its id, so the id's index serves. */
export const returnsOfLead = (leadId: string): Filter<ReturnDoc> => ({
  // From `…:` on, and before `…;`.
  _id: { $gt: `${leadId}:`, $lt: `${leadId};` },
});

type ReturnCollections = Pick<OutcomeCollections, 'returns' | 'returnCounts'>;

export type ReturnStore = ReturnType<typeof createReturnStore>;

export function createReturnStore({ returns, returnCounts }: ReturnCollections) {
  const counter = ({ buyer_id, month }: Pick<ReturnDoc, 'buyer_id' | 'month'>) =>
    `${buyer_id}:${month ?? ''}`;
  const together = <T>(work: (session: ClientSession) => Promise<T>): Promise<T> =>
    retryTransaction(returns, work, BUSY);
  const end = (id: string, set: Partial<ReturnDoc>, session?: ClientSession) =>
    change({ _id: id, state: 'requested' }, { $set: set, $unset: { auto_accept_at: 1 } }, session);
  const change = (
    which: Filter<ReturnDoc>,
    update: UpdateFilter<ReturnDoc>,
    session?: ClientSession,
  ) => returns.findOneAndUpdate(which, update, { returnDocument: 'after', session });

  return {
    /** The returns of a lead and buyer, the first one first. */
    of: (leadId: string, buyerId: string): Promise<ReturnDoc[]> => {
      const prefix = `${leadId}:${buyerId}`;
      // From `…:1` on, and before `…;`: the id's index serves.
      return returns
        .find({ _id: { $gt: `${prefix}:`, $lt: `${prefix};` } })
        .sort({ _id: 1 })
        .toArray();
    },
    /** Null when the organization has no such return. */
    get: (orgId: string, id: string): Promise<ReturnDoc | null> =>
      returns.findOne({ _id: id, org_id: orgId }),
    /**
     * Stores a request and counts it.
     * @param most maximum of its month; null: no limit
     * @returns `full` when there is no room; `taken` when another request has this id
     */
    async add(request: ReturnDoc, most: number | null): Promise<'added' | 'full' | 'taken'> {
      const { month } = request;
      try {
        if (month === undefined) {
          await returns.insertOne(request);
          return 'added';
        }
        const _id = counter(request);
        const start = { $setOnInsert: { count: 0 } };
        await retryUpsert(() => returnCounts.updateOne({ _id }, start, { upsert: true }));
        const room = most === null ? undefined : { $lt: most };
        return await together(async (session) => {
          const inc = { $inc: { count: 1 } };
          const counted = await returnCounts.updateOne({ _id, count: room }, inc, { session });
          if (counted.modifiedCount === 0) return 'full';
          await returns.insertOne(request, { session });
          return 'added';
        });
      } catch (error) {
        if (isDuplicateKey(error)) return 'taken';
        throw error;
      }
    },
    /** How many returns are counted in the month of this one. */
    counted: async (request: ReturnDoc): Promise<number> =>
      (await returnCounts.findOne({ _id: counter(request) }))?.count ?? 0,
    /** Accepts a requested one; null when it is not requested, or no longer. */
    accept: (id: string, accepted: Acceptance): Promise<ReturnDoc | null> =>
      end(id, { ...accepted, state: 'accepted', owed: true }),
    /** Rejects a requested one and frees its place; null when it is not requested, or no longer. */
    reject: (id: string, rejected: Resolution): Promise<ReturnDoc | null> =>
      together(async (session) => {
        const found = await end(id, { ...rejected, state: 'rejected' }, session);
        if (found?.month !== undefined)
          await returnCounts.updateOne(
            { _id: counter(found) },
            { $inc: { count: -1 } },
            { session },
          );
        return found;
      }),
    /** Records that an accepted one is finished. Repeating it changes nothing. */
    made: (id: string, facts: Partial<ReturnDoc>): Promise<ReturnDoc | null> =>
      change({ _id: id, state: 'accepted' }, { $set: facts, $unset: { owed: 1, retry_at: 1 } }),
    /** Records what is done of an accepted one; the rest is left until its `retry_at`. */
    postpone: (
      id: string,
      facts: Partial<ReturnDoc> & Pick<Required<ReturnDoc>, 'retry_at'>,
    ): Promise<ReturnDoc | null> =>
      change({ _id: id, state: 'accepted', owed: true }, { $set: facts }),
    /** Accepted before then, not finished yet, and not postponed beyond `now`. */
    owed: ({ before, now }: { before: Date; now: Date }, limit: number): Promise<ReturnDoc[]> =>
      returns
        .find({ owed: true, resolved_at: { $lt: before }, retry_at: { $not: { $gt: now } } })
        .sort({ resolved_at: 1 })
        .limit(limit)
        .toArray(),
    /** Requested, and due for automatic acceptance by then. */
    due: (now: Date, limit: number): Promise<ReturnDoc[]> =>
      returns
        .find({ state: 'requested', auto_accept_at: { $lte: now } })
        .sort({ auto_accept_at: 1 })
        .limit(limit)
        .toArray(),
  };
}
