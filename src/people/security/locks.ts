/** Locks that this process knows of: while one lasts, the database is not asked, however often somebody tries. */
import type { Clock } from '../../lib/clock.js';
import { lruMap } from '../../lib/lruMap.js';

/** Some 100 bytes each. */
const LOCKS_MAX = 20_000;

export interface Locks {
  /** How long the lock still lasts, in milliseconds; 0: this process knows of none. */
  leftMs(key: string): number;
  /** @param knownMs how long it is certain that nobody lifts it */
  remember(key: string, lockMs: number, knownMs?: number): void;
  forget(key: string): void;
}

export function createLocks(clock: Pick<Clock, 'monotonic'>): Locks {
  const locks = lruMap<string, { endsAt: number; knownUntil: number }>(LOCKS_MAX);
  return {
    leftMs(key) {
      const lock = locks.get(key);
      if (!lock) return 0;
      const now = clock.monotonic();
      return now < lock.knownUntil ? Math.max(0, lock.endsAt - now) : 0;
    },
    remember(key, lockMs, knownMs = lockMs) {
      const now = clock.monotonic();
      locks.set(key, { endsAt: now + lockMs, knownUntil: now + Math.min(lockMs, knownMs) });
    },
    forget: (key) => locks.delete(key),
  };
}
