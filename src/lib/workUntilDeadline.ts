import type { Clock } from './clock.js';

const RUN_MS = 3_000;

/**
 * Works through the due items, in order, as long as there is time. Returns the sum of what `work` repaired.
 * @param runMs after this time no further item is begun; the next run of `reconcile` goes on with those left
 */
export async function workUntilDeadline<T>(
  due: readonly T[],
  clock: Pick<Clock, 'monotonic'>,
  work: (one: T) => Promise<number>,
  runMs = RUN_MS,
): Promise<number> {
  const until = clock.monotonic() + runMs;
  let mended = 0;
  for (const one of due) {
    if (clock.monotonic() > until) break;
    mended += await work(one);
  }
  return mended;
}
