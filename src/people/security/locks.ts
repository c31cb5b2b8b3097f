/** Locks that this process knows of: while one lasts, the database is not asked, however often somebody tries. */
import type { Clock } from '../../lib/clock.js';
import { lruMap } from '../../lib/lruMap.js';

/** Some 100 bytes each. */
const LOCKS_MAX = 20_000;

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
    /** @param knownMs how long it is certain that nobody lifts it */
    remember(key: string, lockMs: number, knownMs: number = lockMs): void {
      const now = clock.monotonic();
      locks.set(key, { endsAt: now + lockMs, knownUntil: now + Math.min(lockMs, knownMs) });
    },
    forget: (key: string): void => locks.delete(key),
  };
}
