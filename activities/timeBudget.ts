/** How long one call of an activity works, and how much it names in its result. */
import type { CallBudget } from '../src/deliveries/destinations/drainLoop.js';
import type { Clock } from '../src/lib/clock.js';

/** A call works at most this long, in milliseconds; then it returns and the workflow calls it again. */
const CALL_MS = 20_000;
/** The ids that one search attribute has room for. */
const IDS_MAX = 48;

/** The time of a call that begins now. It is over at once when the process is stopping. */
export function createTimeBudget(deps: {
  clock: Pick<Clock, 'monotonic'>;
  stopping(): boolean;
}): CallBudget {
  const endsAt = deps.clock.monotonic() + CALL_MS;
  const leftMs = (): number => endsAt - deps.clock.monotonic();
  return { leftMs, inTime: () => leftMs() > 0 && !deps.stopping() };
}

/** The first 48 of the ids, each once. */
export const attributeIds = (ids: readonly string[]): string[] =>
  [...new Set(ids)].slice(0, IDS_MAX);
