/** Drains that should have begun a while ago: lost with their process, or open in Temporal and doing nothing. */
import type { Clock } from '../../lib/clock.js';
import type { Log } from '../../lib/log.js';
import { unavailableUntil } from '../rules/breaker.js';
import type { DestinationDoc } from '../store/destinationDoc.js';
import type { DestinationStore } from '../store/destinations.js';

export interface Drain {
  id: string;
  orgId: string;
  kind?: 'endpoint';
}

export interface RenewDeps {
  clock: Clock;
  log: Log;
  destinations: DestinationStore;
  /** Restarts it in Temporal where it does nothing, and returns whether it did. */
  starter: { renew(id: string, orgId: string, kind?: 'endpoint'): Promise<boolean> };
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
