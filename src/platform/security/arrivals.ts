/** Which caller has come from which address, so that the first request is logged, and not each one. */
import { lruMap } from '../../lib/lruMap.js';
import type { CallerId } from './callerId.js';

const REMEMBERED_MS = 86_400_000;
/** Pairs of caller and address; those that came longest ago are forgotten, and logged when they come again. */
const PAIRS_MAX = 50_000;

export type Arrivals = ReturnType<typeof createArrivals>;

/** @param now a monotonic clock in milliseconds */
export function createArrivals(now: () => number = () => performance.now()) {
  const until = lruMap<string, number>(PAIRS_MAX);
  return {
    /** Whether this caller has not come from this address for a day; records that it has now. */
    isNew({ actor, id }: CallerId, address: string): boolean {
      const pair = `${actor}:${id} ${address}`;
      const at = now();
      if ((until.get(pair) ?? -Infinity) > at) return false;
      until.set(pair, at + REMEMBERED_MS);
      return true;
    },
  };
}
