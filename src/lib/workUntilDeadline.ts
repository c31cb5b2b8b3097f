import type { Clock } from './clock.js';

const RUN_MS = 3_000;

export interface Repairing<T> {
  clock: Pick<Clock, 'monotonic'>;
  /** Returns how much of the item it repaired. */
  repair: (one: T) => Promise<number>;
  /** Reports an item whose repair failed, and puts it off: it must not be the first of the next run again. */
  failed: (one: T, error: unknown) => Promise<unknown>;
  /** Milliseconds after which no further item is begun, 3,000 by default; the next run goes on with those left. */
  runMs?: number;
}

/**
 * Works through the due items, in order, as long as there is time. A failed item does not stop the others.
 * @returns the sum of what was repaired
 */
export async function workUntilDeadline<T>(
  due: readonly T[],
  { clock, repair, failed, runMs = RUN_MS }: Repairing<T>,
): Promise<number> {
  const until = clock.monotonic() + runMs;
  let mended = 0;
  for (const one of due) {
    if (clock.monotonic() > until) break;
    try {
      mended += await repair(one);
    } catch (error) {
      await failed(one, error);
    }
  }
  return mended;
}
