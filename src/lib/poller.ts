/** Waits for results decided elsewhere: all waiters share one read, which repeats until no waiter is left. */
import type { Clock } from './clock.js';
import type { Log } from './log.js';

/** All times are milliseconds. */
export interface PollerOptions<T> {
  clock: Pick<Clock, 'monotonic'>;
  log: Pick<Log, 'warn'>;
  /** Before the first read, when there was no waiter before. */
  firstAfterMs: number;
  everyMs: number;
  /** A wait that begins late still lasts this long. */
  waitMinMs: number;
  /** Maximum ids of one read; further ones take turns. */
  readMax?: number;
  /**
   * The current results, by id.
   * @param due those of them whose time is up: their waiters get the result as it is, whether final or not
   */
  read(ids: readonly string[], due: readonly string[]): Promise<ReadonlyMap<string, T>>;
  /** Whether a waiter gets this result before its time is up; undefined: not found. */
  isFinal(found: T | undefined): boolean;
  /** Logged when a read fails; the waiters stay for the next one. */
  failure: string;
  /** The error for a waiter that no read has served in time. */
  tooLate(): Error;
}

interface Waiter<T> {
  id: string;
  dueAt: number;
  giveUpAt: number;
  resolve: (found: T | undefined) => void;
}

export function createPoller<T>(options: PollerOptions<T>) {
  const { clock, readMax = Infinity } = options;
  let waiters: Waiter<T>[] = [];
  let isPolling = false;

  const poll = async (): Promise<void> => {
    const now = clock.monotonic();
    // The timers of waiters whose time is over have rejected them.
    waiters = waiters.filter(({ giveUpAt }) => giveUpAt > now);
    // Waiters that come during the read are not part of it: its misses say nothing about their ids.
    const batch = waiters.slice(0, readMax);
    if (batch.length === 0) return;
    const isDue = ({ dueAt }: Waiter<T>): boolean => dueAt <= now;
    const found = await options.read(idsOf(batch), idsOf(batch.filter(isDue)));
    const served = new Set(batch.filter((one) => isDue(one) || options.isFinal(found.get(one.id))));
    for (const { id, resolve } of served) resolve(found.get(id));
    // Those that this read left out go first in the next one.
    waiters = [...waiters.slice(batch.length), ...batch.filter((one) => !served.has(one))];
  };

  const run = async (): Promise<void> => {
    if (options.firstAfterMs > 0) await pause(options.firstAfterMs);
    while (waiters.length > 0) {
      try {
        await poll();
      } catch (error) {
        options.log.warn({ err: error }, options.failure);
      }
      await pause(options.everyMs);
    }
    isPolling = false;
  };

  return {
    /**
     * The final result, or the one at hand when the time is up; undefined when there is none.
     * @param dueAt when the time is up, on the monotonic clock
     * @param giveUpAt the same clock; later than `dueAt`, or there is no due time (Infinity)
     * @throws {Error} `tooLate` at `giveUpAt`
     */
    wait(id: string, dueAt: number, giveUpAt: number): Promise<T | undefined> {
      return new Promise((resolve, reject) => {
        const now = clock.monotonic();
        // A read that hangs must not keep a waiter beyond its time.
        const leftMs = Math.max(giveUpAt - now, options.waitMinMs);
        const timer = setTimeout(() => reject(options.tooLate()), leftMs).unref();
        const done = (found: T | undefined): void => {
          clearTimeout(timer);
          resolve(found);
        };
        waiters.push({ id, dueAt, giveUpAt: now + leftMs, resolve: done });
        if (isPolling) return;
        isPolling = true;
        void run();
      });
    },
  };
}

const idsOf = <T>(waiters: readonly Waiter<T>[]): string[] => [
  ...new Set(waiters.map(({ id }) => id)),
];

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
