import type { Clock } from '../../src/clock.js';

/** No further one is begun after so long, in milliseconds; the next run of `reconcile` goes on with those left. */
const RUN_MS = 3_000;

/** Works through what is due, in its order, as long as there is time. Returns the sum of what `work` mended. */
export async function whileInTime<T>(
  due: readonly T[],
  clock: Pick<Clock, 'monotonic'>,
  work: (one: T) => Promise<number>,
): Promise<number> {
  const until = clock.monotonic() + RUN_MS;
  let mended = 0;
  for (const one of due) {
    if (clock.monotonic() > until) break;
    mended += await work(one);
  }
  return mended;
}
