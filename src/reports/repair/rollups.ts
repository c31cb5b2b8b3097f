/**
 * Compares roll-ups with their leads. By construction they agree; a record that was restored or
 * edited by hand may not, and a wrong sum would be reported for ever.
 */
import { difference, isSameContribution, nonZero, type Row } from '../rules/rollups.js';
import type { RollupDoc } from '../store/rollupDocs.js';
import { createRollupStore } from '../store/rollups.js';
import {
  addUp,
  compareDay,
  compareDue,
  DAYS_MS,
  restAfter,
  findSpan,
  type ComparingDeps,
} from './comparing.js';
import { BATCH_SIZE, type Pace } from '../../lib/pace.js';
import type { RollDeps } from '../countBatches.js';
import { buildChanges, LEADS, PROJECTION, type RolledLead } from '../rollUp.js';

/** A past day is left alone for a day, until it is so old that none of its leads changes any longer. */
const DAY_MS = 86_400_000;
const SETTLED_MS = 60 * DAY_MS;

/**
 * Compares the due days, the longest overdue first. Returns the number of corrected sums, and of leads that
 * were counted with a contribution that is no longer theirs.
 */
export function recountRollups(deps: RollDeps & ComparingDeps, pace: Pace): Promise<number> {
  const repair = (day: RollupDoc) => recountDay(day, pace, deps);
  return compareDue(deps.collections.rollups, deps, repair, DAYS_MS);
}

async function recountDay(day: RollupDoc, pace: Pace, deps: RollDeps): Promise<number> {
  const { collections } = deps;
  const { org_id, campaign_id } = day;
  const { counted, corrected } = await compareDay({
    store: createRollupStore(deps),
    read: () => collections.rollups.find({ campaign_id, day: day.day, facet: ANY }).toArray(),
    count: () => countLeads(day, pace, deps),
    repairOf({ rows }, stored) {
      const wrong = difference(nonZero(rows), stored.map(asRow));
      if (wrong.length === 0) return null;
      const changes = buildChanges({ org_id, campaign_id, day: day.day }, wrong);
      return { batch: { rows: changes, leads: [] }, wrong: wrong.length };
    },
  });
  await rest(day, { tookMs: pace.workedMs(), isCompared: corrected !== null }, deps);
  return counted.missed + (corrected ?? 0);
}

async function countLeads(day: RollupDoc, pace: Pace, { collections }: RollDeps) {
  const { org_id, campaign_id } = day;
  const { from, to } = await findSpan(day, collections);
  // Both values are named, so that the index of a campaign's leads serves: its second field is `is_test`.
  const is_test = { $in: [false, true] };
  const filter = { org_id, is_test, campaign_id, created_at: { $gte: from, $lt: to } };
  const leads = collections.leads
    .find(filter, { batchSize: BATCH_SIZE })
    .project<RolledLead>(PROJECTION);
  return addUp(leads, {
    ...LEADS,
    isSame: isSameContribution,
    items: collections.leads,
    pace,
  });
}

const ANY = { $in: ['all', 'buyer', 'supplier', 'state', 'cell', 'resold'] } satisfies {
  $in: RollupDoc['facet'][];
};

/** Without the fields that are stored in addition to the sums. */
export const asRow = ({ facet, buyer_id, supplier_id, state, by_status }: RollupDoc): Row => ({
  facet,
  buyer_id,
  supplier_id,
  state,
  by_status,
});

/** A day whose comparison was spoiled is checked again soon; once it is over, it is disturbed less often. */
async function rest(
  day: RollupDoc,
  { tookMs, isCompared }: { tookMs: number; isCompared: boolean },
  { collections, clock }: RollDeps,
): Promise<void> {
  const now = Number(clock.now());
  const age = now - Number(new Date(`${day.day}T00:00:00Z`));
  const restMs = Math.max(restAfter(tookMs), isCompared && age > 2 * DAY_MS ? DAY_MS : 0);
  const update =
    isCompared && age > SETTLED_MS
      ? { $unset: { recount_at: 1 as const } }
      : { $set: { recount_at: new Date(now + restMs) } };
  await collections.rollups.updateOne({ _id: day._id }, update);
}
