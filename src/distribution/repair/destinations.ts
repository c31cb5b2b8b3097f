/** Drains that should have begun a while ago: lost with their process, or open in Temporal and doing nothing. */
import { unavailableUntil } from '../../deliveries/rules/breaker.js';
import type { DestinationDoc } from '../../deliveries/store/destinationDoc.js';
import type { DestinationStore } from '../../deliveries/store/destinations.js';
import type { Clock } from '../../lib/clock.js';
import type { Log } from '../../lib/log.js';
import type { SellingDeps } from '../deps.js';
import type { LeadStarter } from '../starters.js';
import type { DistributionCollections } from '../store/collections.js';

interface Drain {
  id: string;
  orgId: string;
  kind?: 'endpoint';
}

export interface RenewDeps {
  clock: Clock;
  log: Log;
  destinations: DestinationStore;
  starter: Pick<LeadStarter, 'renew'>;
}

/** A drain that has been due for this long, in milliseconds, and has not begun is lost. */
const OVERDUE_MS = 60_000;
/** A drain that has not begun for this long, in milliseconds, was woken by the previous run and had time to begin. */
const STUCK_MS = 120_000;
const DRAINS_PER_RUN = 1_000;

/** What was due before this is overdue. */
export const overdueBefore = ({ clock }: Pick<RenewDeps, 'clock'>): Date =>
  new Date(Number(clock.now()) - OVERDUE_MS);

/**
 * Wakes those of these drains that neither rest nor have begun lately, and restarts those that a wake-up did not help.
 * Returns their number.
 */
export async function wakeOverdue(
  drains: readonly Drain[],
  wake: (ids: readonly string[], orgId: string) => void,
  deps: RenewDeps,
): Promise<number> {
  const before = Number(overdueBefore(deps));
  const known = await deps.destinations.get(drains.map(({ id }) => id));
  const lost = drains
    .filter(({ id }) => {
      const doc = known.get(id);
      return unavailableUntil(doc) < before && Number(doc?.last_drain_at ?? 0) < before;
    })
    .slice(0, DRAINS_PER_RUN);
  for (const drain of lost) {
    if (await renewStuck(drain, known.get(drain.id), deps)) continue;
    // The process that set `awake` is gone: without this no process would win the right to wake it.
    await deps.destinations.sleep(drain.id);
    wake([drain.id], drain.orgId);
  }
  return lost.length;
}

/** Restarts a drain that is stuck, and returns whether it was. Never throws. */
async function renewStuck(
  { id, orgId, kind }: Drain,
  known: DestinationDoc | undefined,
  { clock, log, starter }: RenewDeps,
): Promise<boolean> {
  if (Number(clock.now()) - Number(known?.last_drain_at ?? 0) < STUCK_MS) return false;
  const about = { [kind ? 'automation_id' : 'buyer_id']: id };
  try {
    const wasStuck = await starter.renew(id, orgId, kind);
    if (wasStuck) log.warn(about, 'a drain was stuck: it is ended and restarted');
    return wasStuck;
  } catch (error) {
    log.warn({ ...about, err: error }, 'a drain could not be checked; it is woken');
    return false;
  }
}

export interface OverdueBuyersDeps extends Pick<SellingDeps, 'wake'>, RenewDeps {
  collections: DistributionCollections;
}

/** Buyers with rows that should have been sent, or ended, a while ago. */
export const wakeOverdueBuyers = async (deps: OverdueBuyersDeps): Promise<number> =>
  wakeOverdue(await findOverdueBuyers(deps), (ids, orgId) => deps.wake(ids, orgId), deps);

/** Reads one row per buyer, however long the queues are. */
async function findOverdueBuyers(deps: OverdueBuyersDeps): Promise<Drain[]> {
  const before = overdueBefore(deps);
  const firstOfEach = (state: 'parked' | 'unknown', moment: 'due_at' | 'expires_at') =>
    deps.collections.deliveries
      .aggregate<{ _id: string; org_id: string; at: Date }>([
        { $match: { state } },
        { $sort: { buyer_id: 1, [moment]: 1 } },
        {
          $group: { _id: '$buyer_id', org_id: { $first: '$org_id' }, at: { $first: `$${moment}` } },
        },
      ])
      .toArray();
  const first = await Promise.all([
    firstOfEach('parked', 'due_at'),
    firstOfEach('parked', 'expires_at'),
    firstOfEach('unknown', 'expires_at'),
  ]);
  const overdue = first.flat().filter(({ at }) => at < before);
  return [...new Map(overdue.map(({ _id, org_id }) => [_id, { id: _id, orgId: org_id }])).values()];
}
