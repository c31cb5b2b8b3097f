/**
 * Pings whose minute has no workflow: the process that stored them died before it started the workflow, or it was lost
 * with the Temporal store.
 */
import { expireUntil, publishExpired, type ExpiryDeps } from '../expire.js';

/** Milliseconds after which an open ping counts as forgotten: its minute is over, and expiring it may take a while. */
const OVERDUE_MS = 90_000;
/** Milliseconds after which marked pings count as abandoned: the process that marks them writes their event at once. */
const LEFT_MS = 60_000;
/** Milliseconds after which no further batch is begun; the next run of `reconcile` continues. */
const RUN_MS = 3_000;

/** Writes the events of pings that have expired without a published event. Returns the number of pings. */
export async function publishAbandoned(deps: ExpiryDeps): Promise<number> {
  return (await publishExpired(deps, { lateMs: LEFT_MS, inTime: timed(deps) })).length;
}

/** Expires pings that are still open. Returns their number. */
export async function expireOverdue(deps: ExpiryDeps): Promise<number> {
  const until = new Date(Number(deps.clock.now()) - OVERDUE_MS);
  return (await expireUntil(until, deps, timed(deps))).pings.length;
}

function timed({ clock }: Pick<ExpiryDeps, 'clock'>): () => boolean {
  const endsAt = clock.monotonic() + RUN_MS;
  return () => clock.monotonic() < endsAt;
}
