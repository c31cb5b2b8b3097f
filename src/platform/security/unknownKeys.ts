/** Keys that were looked up and not found, so that the next look-up of the same is spared. */
import { lruMap } from '../../lib/lruMap.js';

export interface UnknownKeys {
  has(hash: string): boolean;
  add(hash: string): void;
}

/** A key is drawn at random when it is made, so nobody can have sent it before; this is for records put back by hand. */
const REMEMBERED_MS = 10_000;
const KEYS_MAX = 10_000;

/** @param now a monotonic clock in milliseconds */
export function createUnknownKeys(now: () => number = () => performance.now()): UnknownKeys {
  const until = lruMap<string, number>(KEYS_MAX);
  return {
    has(hash) {
      const end = until.get(hash);
      if (end === undefined) return false;
      if (now() < end) return true;
      until.delete(hash);
      return false;
    },
    add: (hash) => until.set(hash, now() + REMEMBERED_MS),
  };
}
