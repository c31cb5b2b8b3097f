/** Keys that were looked up and not found, so that the next request with the same key costs no lookup. */
import { lruMap } from '../../lib/lruMap.js';

/** A new key is random, so no caller can have sent it before; the limit matters for records restored by hand. */
const REMEMBERED_MS = 10_000;
const KEYS_MAX = 10_000;

/** @param now a monotonic clock in milliseconds */
export function createUnknownKeys(now: () => number = () => performance.now()) {
  const until = lruMap<string, number>(KEYS_MAX);
  return {
    has(hash: string): boolean {
      const end = until.get(hash);
      if (end === undefined) return false;
      if (now() < end) return true;
      until.delete(hash);
      return false;
    },
    add: (hash: string): void => until.set(hash, now() + REMEMBERED_MS),
  };
}
