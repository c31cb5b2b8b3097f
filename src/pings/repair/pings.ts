/**
 * Pings whose minute has no workflow: the process that stored them died before it had started it, or it is lost with
 * the Temporal store.
 */
import { createPingExpiryStore } from '../store/pingExpiry.js';
import { expireUntil, type ExpiryDeps } from '../expire.js';

export type OverdueDeps = Pick<ExpiryDeps, 'collections' | 'clock' | 'publishEvents'>;

/** An open ping expires by the end of its minute, which may take a while: after so long it was forgotten, in milliseconds. */
const OVERDUE_MS = 90_000;
/** Whoever marks pings as expired writes their event at once: after so long nobody will, in milliseconds. */
const LEFT_MS = 60_000;
/** No further batch is begun after so long, in milliseconds; the next run of `reconcile` goes on. */
const RUN_MS = 3_000;

/** Writes the events of pings that have expired without a published event. Returns how many pings there were. */
export async function publishExpired(deps: OverdueDeps): Promise<number> {
  const before = new Date(Number(deps.clock.now()) - LEFT_MS);
  const inTime = timed(deps);
  const store = createPingExpiryStore(deps.collections, deps.publishEvents);
  let told = 0;
  while (inTime()) {
    const some = await store.tell(before);
    if (some.length === 0) break;
    told += some.length;
  }
  return told;
}

/** Has pings expire that are still open. Returns how many there were. */
export async function expireOverdue(deps: OverdueDeps): Promise<number> {
  const until = new Date(Number(deps.clock.now()) - OVERDUE_MS);
  return (await expireUntil(until, deps, timed(deps))).pings.length;
}

function timed({ clock }: Pick<OverdueDeps, 'clock'>): () => boolean {
  const endsAt = clock.monotonic() + RUN_MS;
  return () => clock.monotonic() < endsAt;
}
