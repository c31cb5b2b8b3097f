/** Waiting for changes that are made elsewhere: one shared read every 100 ms for everybody who waits. */
import type { Clock } from '../lib/clock.js';
import type { Log } from '../lib/log.js';
import type { ChangeDoc } from './store/outcomeDocs.js';
import type { OutcomeStore } from './store/outcomes.js';
import { outcomeUnknown } from './errors.js';

export interface Waiting {
  /**
   * The change when it is made; undefined when it is not there any more, for it cannot be made.
   * @param until on the monotonic clock
   * @throws {AppError} `outcome_unknown` after that
   */
  wait(id: string, until: number): Promise<ChangeDoc | undefined>;
}

interface Waiter {
  id: string;
  until: number;
  resolve: (change: ChangeDoc | undefined) => void;
}

const POLL_MS = 100;
/** A wait that begins late is given so long all the same, in milliseconds. */
const LEAST_MS = 100;

export function createWaiting(deps: {
  outcomes: Pick<OutcomeStore, 'get'>;
  clock: Pick<Clock, 'monotonic'>;
  log: Pick<Log, 'warn'>;
}): Waiting {
  let waiters: Waiter[] = [];
  let timer: NodeJS.Timeout | undefined;

  const look = async (): Promise<void> => {
    const now = deps.clock.monotonic();
    // Those whose time is up have been told by their own timer.
    waiters = waiters.filter(({ until }) => until > now);
    // Who comes while this is read was not looked for: not to be found means nothing to them.
    const asked = waiters;
    try {
      const found = await deps.outcomes.get([...new Set(asked.map(({ id }) => id))]);
      const done = new Set(asked.filter(({ id }) => found.get(id)?.state !== 'open'));
      for (const { id, resolve } of done) resolve(found.get(id));
      waiters = waiters.filter((waiter) => !done.has(waiter));
    } catch (error) {
      deps.log.warn({ err: error }, 'changes that are waited for could not be read');
    }
    timer = undefined;
    next();
  };
  const next = (): void => {
    if (waiters.length > 0) timer ??= setTimeout(() => void look(), POLL_MS);
  };

  return {
    wait(id, until) {
      return new Promise((resolve, reject) => {
        const leftMs = Math.max(until - deps.clock.monotonic(), LEAST_MS);
        const timeUp = setTimeout(() => reject(outcomeUnknown()), leftMs);
        const done = (change: ChangeDoc | undefined) => {
          clearTimeout(timeUp);
          resolve(change);
        };
        waiters = [...waiters, { id, until: deps.clock.monotonic() + leftMs, resolve: done }];
        next();
      });
    },
  };
}
