/** The time limit of one activity call, and how many ids its result names. */

/** A call works at most this long, in milliseconds; then it returns and the workflow calls it again. */
const CALL_MS = 20_000;
/** Maximum ids in one search attribute. */
const IDS_MAX = 48;

/** The time budget of a call that begins now. It ends at once when the process is stopping. */
export function createTimeBudget(deps: { clock: { monotonic(): number }; stopping(): boolean }) {
  const endsAt = deps.clock.monotonic() + CALL_MS;
  const leftMs = (): number => endsAt - deps.clock.monotonic();
  return { leftMs, inTime: () => leftMs() > 0 && !deps.stopping() };
}

/** The first 48 of the ids, each once. */
export const attributeIds = (ids: readonly string[]): string[] =>
  [...new Set(ids)].slice(0, IDS_MAX);
