/**
 * Pings whose minute has no workflow: the process that stored them died before it started the workflow, or it was lost
 * with the Temporal store.
 */
import { createPingExpiryStore } from '../store/pingExpiry.js';
import { expireUntil, type ExpiryDeps } from '../expire.js';

export type OverdueDeps = Pick<ExpiryDeps, 'collections' | 'clock' | 'publishEvents'>;

/** Milliseconds after which an open ping counts as forgotten: its minute is over, and expiring it may take a while. */
const OVERDUE_MS = 90_000;
/** Milliseconds after which marked pings count as abandoned: the process that marks them writes their event at once. */
const LEFT_MS = 60_000;
/** Milliseconds after which no further batch is begun; the next run of `reconcile` continues. */
const RUN_MS = 3_000;

/** Writes the events of pings that have expired without a published event. Returns the number of pings. */
export async function publishExpired(deps: OverdueDeps): Promise<number> {
  const before = new Date(Number(deps.clock.now()) - LEFT_MS);
  const inTime = timed(deps);
  const store = createPingExpiryStore(deps.collections, deps.publishEvents);
  let told = 0;
  while (inTime()) {
    const some = await store.publishMarked(before);
    if (some.length === 0) break;
    told += some.length;
  }
  return told;
}

/** Expires pings that are still open. Returns their number. */
export async function expireOverdue(deps: OverdueDeps): Promise<number> {
  const until = new Date(Number(deps.clock.now()) - OVERDUE_MS);
  return (await expireUntil(until, deps, timed(deps))).pings.length;
}

function timed({ clock }: Pick<OverdueDeps, 'clock'>): () => boolean {
  const endsAt = clock.monotonic() + RUN_MS;
  return () => clock.monotonic() < endsAt;
}
