/** Withdraws leads that no run has begun to decide: for those a 503 is true. */
import type { Collection } from 'mongodb';
import { insertNew } from '../../platform/mongo/insertNew.js';
import { DURABLE } from '../../platform/mongo/readConcern.js';
import type { Lead } from '../rules/lead.js';

export function createWithdrawals(leads: Collection<Lead>) {
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
