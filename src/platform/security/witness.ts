/** Who makes a call, and what of the call is reported to the security log. */
import type { AppError } from '../../lib/errors.js';
import { lruMap } from '../../lib/lruMap.js';

/** The caller that a request's credential identifies; reveals nothing of the credential itself. */
export interface CallerId {
  actor: 'api_key' | 'supplier' | 'buyer' | 'person';
  org_id: string;
  /** Of the key, the supplier, the buyer or the person. */
  id: string;
}

/** Receives the events of a call as it runs, so that they are logged with the caller's address. */
export interface Witness {
  /** The key is valid, and is this caller's. */
  known(caller: CallerId): void;
  /** The call was refused, or a part of it was, such as one tool of a batch. */
  refused(error: AppError): void;
  /** An action ran that those who guard the installation need to see. */
  ran(event: 'operator_command' | 'key_changed', action: string): void;
}

const REMEMBERED_MS = 86_400_000;
/** Pairs of caller and address; those that came longest ago are forgotten, and logged when they come again. */
const PAIRS_MAX = 50_000;

export type Arrivals = ReturnType<typeof createArrivals>;

/**
 * Remembers which caller has come from which address, so that the first request is logged, and not each one.
 * @param now a monotonic clock in milliseconds
 */
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
