/** Compares roll-ups of pings with their pings, as those of leads are compared. */
import {
  isSamePingContribution,
  nonZeroPings,
  pingDifference,
  type PingRow,
} from '../../pings/rules/rollups.js';
import type { RollDeps } from '../countBatches.js';
import { PING_PROJECTION, buildPingChanges, PINGS, type RolledPing } from '../rollUp.js';
import type { PingRollupDoc } from '../store/rollupDocs.js';
import { createRollupStore } from '../store/rollups.js';
import {
  addUp,
  compareDay,
  compareDue,
  restAfter,
  findSpan,
  type ComparingDeps,
} from './comparing.js';
import { BATCH_SIZE, type Pace } from '../../lib/pace.js';

/** Refused pings are deleted after three days: earlier days can no longer be compared. */
const KEPT_MS = 2 * 86_400_000;
/** A day with more pings would take longer than a run of `reconcile` allows. */
const COMPARED_MAX = 500_000;

/**
 * Compares the due days, the longest overdue first. Returns the number of corrected sums, and of pings that
 * were counted with a contribution that is no longer theirs.
 */
export function recountPingRollups(deps: RollDeps & ComparingDeps, pace: Pace): Promise<number> {
  const repair = (day: PingRollupDoc) => recountDay(day, pace, deps);
  return compareDue(deps.collections.pingRollups, deps, repair);
}

async function recountDay(day: PingRollupDoc, pace: Pace, deps: RollDeps): Promise<number> {
  const { collections, clock } = deps;
  const span = await findSpan(day, collections);
  if (Number(clock.now()) - Number(span.from) > KEPT_MS || day.sums.pings > COMPARED_MAX) {
    await collections.pingRollups.updateOne({ _id: day._id }, { $unset: { recount_at: 1 } });
    return 0;
  }
  const { org_id, campaign_id } = day;
  const { counted, corrected } = await compareDay({
    store: createRollupStore(deps, 'pings'),
    read: () => collections.pingRollups.find({ campaign_id, day: day.day, facet: ANY }).toArray(),
    count: () => countPings(day, span, pace, deps),
    repairOf({ rows }, stored) {
      const wrong = pingDifference(nonZeroPings(rows), stored.map(asPingRow));
      if (wrong.length === 0) return null;
      const changes = buildPingChanges({ org_id, campaign_id, day: day.day }, wrong);
      return { batch: { ping_rows: changes, pings: [] }, wrong: wrong.length };
    },
  });
  const recount_at = new Date(Number(clock.now()) + restAfter(pace.workedMs()));
  await collections.pingRollups.updateOne({ _id: day._id }, { $set: { recount_at } });
  return counted.missed + (corrected ?? 0);
}

function countPings(
  { campaign_id }: PingRollupDoc,
  { from, to }: { from: Date; to: Date },
  pace: Pace,
  { collections }: RollDeps,
) {
  const pings = collections.pings
    .find({ campaign_id, created_at: { $gte: from, $lt: to } }, { batchSize: BATCH_SIZE })
    .project<RolledPing>(PING_PROJECTION);
  return addUp(pings, {
    ...PINGS,
    isSame: isSamePingContribution,
    items: collections.pings,
    pace,
  });
}

const ANY = { $in: ['all', 'supplier', 'buyer', 'cell'] } satisfies {
  $in: PingRollupDoc['facet'][];
};

/** Without the fields that are stored in addition to the sums. */
export const asPingRow = ({ facet, supplier_id, buyer_id, sums }: PingRollupDoc): PingRow => ({
  facet,
  supplier_id,
  buyer_id,
  sums,
});
