/** Waiting for what is decided elsewhere: one shared read for all who wait, again and again until none is left. */
import type { Clock } from './clock.js';
import type { Log } from './log.js';

/** All times are milliseconds. */
export interface PollerOptions<T> {
  clock: Pick<Clock, 'monotonic'>;
  log: Pick<Log, 'warn'>;
  /** Before the first read, when no one waited. */
  firstAfterMs: number;
  everyMs: number;
  /** A wait that begins late still lasts this long. */
  waitMinMs: number;
  /** Most ids of one read; what is more takes turns. */
  readMax?: number;
  /**
   * What is known of these, by id.
   * @param due those of them whose time is up: their waiters get what is read, whatever it is
   */
  read(ids: readonly string[], due: readonly string[]): Promise<ReadonlyMap<string, T>>;
  /** Whether a waiter whose time is not up gets this; undefined is what was not found. */
  isFinal(found: T | undefined): boolean;
  /** Logged when a read fails; the waiters stay for the next one. */
  failure: string;
  /** For a waiter that no read has served in time. */
  tooLate(): Error;
}

export interface Poller<T> {
  /**
   * What is final, or what is known when the time is up; undefined when it is not there.
   * @param dueAt when the time is up, on the monotonic clock
   * @param giveUpAt the same clock; later than `dueAt`, or there is no due time (Infinity)
   * @throws {Error} `tooLate` at `giveUpAt`
   */
  wait(id: string, dueAt: number, giveUpAt: number): Promise<T | undefined>;
}

interface Waiter<T> {
  id: string;
  dueAt: number;
  giveUpAt: number;
  resolve: (found: T | undefined) => void;
}

export function createPoller<T>(options: PollerOptions<T>): Poller<T> {
  const { clock, readMax = Infinity } = options;
  let waiters: Waiter<T>[] = [];
  let isPolling = false;

  const poll = async (): Promise<void> => {
    const now = clock.monotonic();
    // Those whose time is over have been told by their own timer.
    waiters = waiters.filter(({ giveUpAt }) => giveUpAt > now);
    // Who comes while these are read was not looked for: not to be found means nothing to them.
    const asked = waiters.slice(0, readMax);
    if (asked.length === 0) return;
    const isDue = ({ dueAt }: Waiter<T>): boolean => dueAt <= now;
    const found = await options.read(idsOf(asked), idsOf(asked.filter(isDue)));
    const served = new Set(asked.filter((one) => isDue(one) || options.isFinal(found.get(one.id))));
    for (const { id, resolve } of served) resolve(found.get(id));
    // Those not asked for this time go first the next time.
    waiters = [...waiters.slice(asked.length), ...asked.filter((one) => !served.has(one))];
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
    wait(id, dueAt, giveUpAt) {
      return new Promise((resolve, reject) => {
        const now = clock.monotonic();
        // A read that hangs must not keep anyone.
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
