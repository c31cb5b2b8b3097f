/** Limits on strangers that one process keeps in memory, so that what they try does not reach the database. */
import type { Clock } from '../../lib/clock.js';
import { lruMap } from '../../lib/lruMap.js';

/** About 100 bytes each. */
const LOCKS_MAX = 20_000;

export interface BudgetLimits {
  atOnce: number;
  perSecond: number;
}

/** How much of something this process does for strangers: a burst, then a rate per second. */
export function createBudget(clock: Pick<Clock, 'monotonic'>, { atOnce, perSecond }: BudgetLimits) {
  let left = atOnce;
  let at = clock.monotonic();
  return {
    /** Whether there is one left; it is used then. */
    take(): boolean {
      const now = clock.monotonic();
      left = Math.min(atOnce, left + ((now - at) / 1_000) * perSecond);
      at = now;
      if (left < 1) return false;
      left -= 1;
      return true;
    },
  };
}

/** Locks that this process has seen: while one lasts, further attempts do not reach the database. */
export function createLocks(clock: Pick<Clock, 'monotonic'>) {
  const locks = lruMap<string, { endsAt: number; knownUntil: number }>(LOCKS_MAX);
  return {
    /** How long the lock still lasts, in milliseconds; 0: this process knows of none. */
    leftMs(key: string): number {
      const lock = locks.get(key);
      if (!lock) return 0;
      const now = clock.monotonic();
      return now < lock.knownUntil ? Math.max(0, lock.endsAt - now) : 0;
    },
    /** @param knownMs how long no other process can lift it */
    remember(key: string, lockMs: number, knownMs: number = lockMs): void {
      const now = clock.monotonic();
      locks.set(key, { endsAt: now + lockMs, knownUntil: now + Math.min(lockMs, knownMs) });
    },
    forget: (key: string): void => locks.delete(key),
  };
}
