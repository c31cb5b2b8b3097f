/**
 * Roll-ups compared with the leads they stand for. By construction they agree; a record that was restored or
 * edited by hand may not, and a wrong sum would be reported for ever.
 */
import { difference, isSameContribution, nonZero, type Row } from '../../src/domain/rollups.js';
import type { RollupDoc } from '../../src/store/rollupDocs.js';
import { rollupStore } from '../../src/store/rollups.js';
import { addUp, corrected, DAYS_PER_RUN, MARKED, restAfter, spanOf } from './comparing.js';
import { whileInTime } from './inTime.js';
import type { RollDeps } from '../../src/rollups/countBatches.js';
import { changesOf, LEADS, PROJECTION, type RolledLead } from '../../src/rollups/roll.js';

/** A day that is over rests for a day, until it is so old that nothing of it changes any more. */
const DAY_MS = 86_400_000;
const SETTLED_MS = 60 * DAY_MS;

/**
 * Compares the days that are due, the longest overdue first. Returns how many sums were corrected, and how many
 * leads were counted as something they are no more.
 */
export async function recountRollups(deps: RollDeps): Promise<number> {
  const due = await deps.collections.rollups
    .find({ recount_at: { $lte: deps.clock.now() } })
    .sort({ recount_at: 1 })
    .limit(DAYS_PER_RUN)
    .toArray();
  return whileInTime(due, deps.clock, (day) => recountDay(day, deps));
}

async function recountDay(day: RollupDoc, deps: RollDeps): Promise<number> {
  const { collections, clock } = deps;
  const store = rollupStore(deps);
  const started = clock.monotonic();
  const seq = await store.settled();
  const { rows, missed } = await countLeads(day, deps);
  const { org_id, campaign_id } = day;
  const stored = await collections.rollups
    .find({ campaign_id, day: day.day, facet: ANY })
    .toArray();
  const wrong = difference(nonZero(rows), stored.map(asRow));
  const repair = { rows: changesOf({ org_id, campaign_id, day: day.day }, wrong), leads: [] };
  if (!(await corrected(store, seq, wrong.length > 0 ? repair : null))) return missed;
  await rest(day, clock.monotonic() - started, deps);
  return missed + wrong.length;
}

async function countLeads(day: RollupDoc, { collections }: RollDeps) {
  const { org_id, campaign_id } = day;
  const { from, to } = await spanOf(day, collections);
  const leads = collections.leads
    .find({ org_id, campaign_id, created_at: { $gte: from, $lt: to } })
    .project<RolledLead>(PROJECTION);
  return addUp(leads, {
    ...{ ...LEADS, isSame: isSameContribution },
    async mark(ids) {
      const filter = { _id: { $in: [...ids] }, uncounted: { $exists: false } };
      return (await collections.leads.updateMany(filter, MARKED)).modifiedCount;
    },
  });
}

const ANY = { $in: ['all', 'buyer', 'supplier', 'state', 'cell'] } satisfies {
  $in: RollupDoc['facet'][];
};

/** Without what is stored beside the sums. */
export const asRow = ({ facet, buyer_id, supplier_id, state, by_status }: RollupDoc): Row => ({
  facet,
  ...(buyer_id === undefined ? {} : { buyer_id }),
  ...(supplier_id === undefined ? {} : { supplier_id }),
  ...(state === undefined ? {} : { state }),
  by_status,
});

async function rest(
  day: RollupDoc,
  tookMs: number,
  { collections, clock }: RollDeps,
): Promise<void> {
  const now = Number(clock.now());
  const age = now - Number(new Date(`${day.day}T00:00:00Z`));
  const restMs = Math.max(restAfter(tookMs), age > 2 * DAY_MS ? DAY_MS : 0);
  const update =
    age > SETTLED_MS
      ? { $unset: { recount_at: 1 as const } }
      : { $set: { recount_at: new Date(now + restMs) } };
  await collections.rollups.updateOne({ _id: day._id }, update);
}
