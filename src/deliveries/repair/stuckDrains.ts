/** Drains that are open in Temporal and do nothing, even after being woken. */
import type { Clock } from '../../lib/clock.js';
import type { Log } from '../../lib/log.js';
import type { DestinationDoc } from '../store/destinationDoc.js';

export interface RenewDeps {
  clock: Clock;
  log: Log;
  /** Restarts it in Temporal where it does nothing, and answers whether it did. */
  starter: { renew(id: string, orgId: string, kind?: 'endpoint'): Promise<boolean> };
}

/** A drain that has not begun for this long, in milliseconds, was woken by the previous run and had time to begin. */
const STUCK_MS = 120_000;

/**
 * Restarts a drain whose rows are overdue, and which a wake-up did not help. Never throws.
 * @returns whether it was stuck
 */
export async function renewStuck(
  { id, orgId, kind }: { id: string; orgId: string; kind?: 'endpoint' },
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
