/**
 * Compares stored sums with their leads, pings and attempts. By construction they agree; a record that was restored or
 * edited by hand may not, and a wrong sum would be reported for ever.
 */
import { BATCH_SIZE, type Pace } from '../../lib/pace.js';
import { keepDay } from '../advanceSpan.js';
import type { AttemptDeps } from '../attemptDays.js';
import type { RollDeps } from '../countBatches.js';
import {
  LEADS,
  PING_PROJECTION,
  PINGS,
  PROJECTION,
  type RolledLead,
  type RolledPing,
} from '../rollUp.js';
import type { AttemptDayDoc } from '../store/attemptDayDocs.js';
import { FACETS } from '../rules/rollups.js';
import type { PingRollupDoc, RollupDoc } from '../store/rollupDocs.js';
import {
  compareDay,
  compareDue,
  DAYS_MS,
  findSpan,
  restAfter,
  type ComparingDeps,
} from './comparing.js';

/** A past day is left alone for a day, until it is so old that none of its leads changes any longer. */
const DAY_MS = 86_400_000;
const SETTLED_MS = 60 * DAY_MS;
/** Refused pings are deleted after three days: earlier days can no longer be compared. */
const PINGS_KEPT_MS = 2 * DAY_MS;
/** A day with more pings would take longer than a run of `reconcile` allows. */
const COMPARED_MAX = 500_000;

/**
 * Compares the due days, the longest overdue first. Returns the number of corrected sums, and of leads that
 * were counted with a contribution that is no longer theirs.
 */
export const recountRollups = (deps: RollDeps & ComparingDeps, pace: Pace): Promise<number> =>
  compareDue(
    deps.collections.rollups,
    deps,
    (day: RollupDoc) => recountLeads(day, pace, deps),
    DAYS_MS,
  );

/** The same for pings. */
export const recountPingRollups = (deps: RollDeps & ComparingDeps, pace: Pace): Promise<number> =>
  compareDue(deps.collections.pingRollups, deps, (day: PingRollupDoc) =>
    recountPings(day, pace, deps),
  );

/** Counts the attempts of the due days again, the longest overdue first. Returns how many days had been wrong. */
export const recountAttemptDays = (
  deps: AttemptDeps & ComparingDeps,
  pace: Pace,
): Promise<number> =>
  compareDue(deps.collections.attemptDays, deps, async (day: AttemptDayDoc) =>
    Number(await keepDay(deps, day, pace)),
  );

async function recountLeads(day: RollupDoc, pace: Pace, deps: RollDeps): Promise<number> {
  const { leads, rollups } = deps.collections;
  const { org_id, campaign_id } = day;
  const { from, to, timeZone } = await findSpan(day, deps.collections);
  // Both values are named, so that the index of a campaign's leads serves: its second field is `is_test`.
  const is_test = { $in: [false, true] };
  const filter = { org_id, is_test, campaign_id, created_at: { $gte: from, $lt: to } };
  const list = leads.find(filter, { batchSize: BATCH_SIZE }).project<RolledLead>(PROJECTION);
  const facet = { $in: LEAD_FACETS };
  const readSums = () => rollups.find({ campaign_id, day: day.day, facet }).toArray();
  const compared = { readSums, list, timeZone, items: leads, pace };
  const { corrected, missed } = await compareDay(day, LEADS, compared, deps);
  await rest(day, { tookMs: pace.workedMs(), isCompared: corrected !== null }, deps);
  return missed + (corrected ?? 0);
}

// Named, so that the index of a day's sums serves.
const LEAD_FACETS: RollupDoc['facet'][] = [...FACETS];
const PING_FACETS: PingRollupDoc['facet'][] = ['all', 'supplier', 'buyer', 'cell'];

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

async function recountPings(day: PingRollupDoc, pace: Pace, deps: RollDeps): Promise<number> {
  const { collections, clock } = deps;
  const { pings, pingRollups } = collections;
  const { _id, campaign_id } = day;
  const { from, to, timeZone } = await findSpan(day, collections);
  if (Number(clock.now()) - Number(from) > PINGS_KEPT_MS || day.sums.pings > COMPARED_MAX) {
    await pingRollups.updateOne({ _id }, { $unset: { recount_at: 1 } });
    return 0;
  }
  const list = pings
    .find({ campaign_id, created_at: { $gte: from, $lt: to } }, { batchSize: BATCH_SIZE })
    .project<RolledPing>(PING_PROJECTION);
  const facet = { $in: PING_FACETS };
  const readSums = () => pingRollups.find({ campaign_id, day: day.day, facet }).toArray();
  const compared = { readSums, list, timeZone, items: pings, pace };
  const { corrected, missed } = await compareDay(day, PINGS, compared, deps);
  const recount_at = new Date(Number(clock.now()) + restAfter(pace.workedMs()));
  await pingRollups.updateOne({ _id }, { $set: { recount_at } });
  return missed + (corrected ?? 0);
}
