/** How long one call of an activity works, and how much it names in its result. */
import type { Clock } from '../src/lib/clock.js';

/** A call works at most this long, in milliseconds; then it returns and the workflow calls it again. */
export const CALL_MS = 20_000;
/** The ids that one search attribute has room for. */
const IDS_MAX = 48;

/** Whether the call may begin another batch: its time is not over, and its process is not stopping. */
export function createTimeBudget(deps: {
  clock: Pick<Clock, 'monotonic'>;
  stopping(): boolean;
}): () => boolean {
  const endsAt = deps.clock.monotonic() + CALL_MS;
  return () => deps.clock.monotonic() < endsAt && !deps.stopping();
}

/** The first 48 of the ids, each once. */
export const attributeIds = (ids: readonly string[]): string[] =>
  [...new Set(ids)].slice(0, IDS_MAX);
