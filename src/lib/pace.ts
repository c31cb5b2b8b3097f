/** Slows comparisons down, so that they leave the shared machine to intake, which must not wait for them. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from './clock.js';

/** Leads, or pings, between two rests. */
export const BATCH_SIZE = 500;
/** After a slice it rests this many times as long as the slice took: a tenth of the time is work. */
const REST_FACTOR = 9;
/**
 * Milliseconds that one run rests in total; after that it goes on without rests, so that a day of any size is done
 * within the run.
 */
const RESTS_MS = 8_000;

interface PaceDeps {
  clock: Pick<Clock, 'monotonic'>;
  /** True once the process is stopping: it rests no more, to be done in time. */
  stopping: () => boolean;
}

export type Pace = ReturnType<typeof createPace>;

export function createPace(
  { clock: { monotonic }, stopping }: PaceDeps,
  pause: (ms: number) => Promise<unknown> = delay,
) {
  let since = monotonic();
  let worked = 0;
  let rested = 0;
  let steps = 0;
  const work = (): number => {
    const now = monotonic();
    const took = now - since;
    since = now;
    worked += took;
    return took;
  };
  return {
    /** Called after each item read, or after `count` of them. Rests now and then. */
    async step(count = 1): Promise<void> {
      steps += count;
      if (steps < BATCH_SIZE) return;
      steps = 0;
      const restMs = Math.min(work() * REST_FACTOR, RESTS_MS - rested);
      if (restMs <= 0 || stopping()) return;
      rested += restMs;
      await pause(restMs);
      since = monotonic();
    },
    /** Milliseconds of work since the last call, or since the beginning, without rests. */
    workedMs(): number {
      work();
      const all = worked;
      worked = 0;
      return all;
    },
  };
}
