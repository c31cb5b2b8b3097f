/**
 * How often an address may call without a valid key, in memory alone: who is refused here costs nobody a look-up. Each
 * process counts for itself.
 */
import { AppError } from '../../lib/errors.js';
import { lruMap } from '../../lib/lruMap.js';

export interface Attempt {
  /** As `addressGroup` gives it. */
  address: string;
  /** Names what was sent as a key, without saying it; null where that has not the form of one. */
  credential: string | null;
}

/** `passed`: the key is valid. `failed`: it is not, or is no more. `open`: nobody could tell, which says nothing. */
export type AttemptResult = 'passed' | 'failed' | 'open';

export interface Gate {
  /**
   * Lets an attempt in. Returns what is to be told its result, and the later one counts.
   * @throws {AppError} `rate_limited` when too many attempts from this address have failed; never with a key that was
   * valid when this process last looked it up
   */
  admit(attempt: Attempt): (result: AttemptResult) => void;
}

export interface GateOptions {
  /** Failures that an address may have at once, and gets back in a minute; 0: any number. */
  failuresPerMinute: number;
  /** A monotonic clock in milliseconds. */
  now?: () => number;
}

/**
 * Two allowances of an address. Most failures are certain beforehand: no key, a mistyped one, one that has just been
 * refused. They leave untouched what tries of other keys may use, so that a client that is set up wrongly keeps nobody
 * behind the same address from using a key for the first time.
 */
type Allowance = 'certain' | 'tries';

interface Bucket {
  left: number;
  /** When it was last refilled, in milliseconds. */
  at: number;
  /** Attempts whose result is not known yet, of each key one. */
  open: Set<string>;
}

type Buckets = Record<Allowance, Bucket>;

const MINUTE_MS = 60_000;
/** The addresses, valid keys and refused keys that are remembered; those that came longest ago are forgotten. */
const ADDRESSES_MAX = 20_000;
const VALID_MAX = 50_000;
const REFUSED_MAX = 20_000;

export function createGate({
  failuresPerMinute,
  now = () => performance.now(),
}: GateOptions): Gate {
  if (failuresPerMinute === 0) return { admit: () => () => undefined };
  const addresses = lruMap<string, Buckets>(ADDRESSES_MAX);
  const keys = rememberKeys();
  const fullBucket = (): Bucket => ({ left: failuresPerMinute, at: now(), open: new Set() });
  /** An address of which no failure is remembered has full ones. */
  const bucketsOf = (address: string): Buckets =>
    addresses.get(address) ?? { certain: fullBucket(), tries: fullBucket() };

  const refill = (bucket: Bucket): Bucket => {
    const at = now();
    const gained = ((at - bucket.at) * failuresPerMinute) / MINUTE_MS;
    bucket.left = Math.min(failuresPerMinute, bucket.left + gained);
    bucket.at = at;
    return bucket;
  };
  const require = (bucket: Bucket, credential: string | null): void => {
    const { left, open } = refill(bucket);
    // Where nothing has failed of late any number may be looked up at once, as when a process has just started.
    const isClean = left === failuresPerMinute || (credential !== null && open.has(credential));
    const free = left - (isClean ? 0 : open.size);
    if (free >= 1) return;
    throw tooMany(Math.ceil(((1 - left) * MINUTE_MS) / failuresPerMinute / 1_000));
  };

  const fail = (address: string, allowance: Allowance): void => {
    const buckets = bucketsOf(address);
    const bucket = refill(buckets[allowance]);
    bucket.left = Math.max(0, bucket.left - 1);
    addresses.set(address, buckets);
  };

  return {
    admit({ address, credential }) {
      const allowance = keys.isRefused(credential) ? 'certain' : 'tries';
      const bucket = bucketsOf(address)[allowance];
      if (!keys.isValid(credential)) require(bucket, credential);
      if (credential !== null) bucket.open.add(credential);
      let isSettled = false;
      return (result) => {
        // That nobody could tell says nothing against what was told before.
        if (result === 'open' && isSettled) return;
        isSettled = true;
        if (credential !== null) bucket.open.delete(credential);
        keys.remember(credential, result);
        if (result === 'failed') fail(address, allowance);
      };
    },
  };
}

interface Keys {
  isValid(credential: string | null): boolean;
  /** It has no form of a key, or was refused a while ago. */
  isRefused(credential: string | null): boolean;
  remember(credential: string | null, result: AttemptResult): void;
}

function rememberKeys(): Keys {
  const valid = lruMap<string, true>(VALID_MAX);
  const refused = lruMap<string, true>(REFUSED_MAX);
  return {
    isValid: (credential) => credential !== null && valid.get(credential) === true,
    isRefused: (credential) => credential === null || refused.get(credential) === true,
    remember(credential, result) {
      if (credential === null || result === 'open') return;
      const [now, before] = result === 'passed' ? [valid, refused] : [refused, valid];
      before.delete(credential);
      now.set(credential, true);
    },
  };
}

function tooMany(seconds: number): AppError {
  const retry_after = Math.max(1, seconds);
  const message =
    'Too many requests without a valid key from this address. ' +
    `Check the key, and call again in ${retry_after} s.`;
  return new AppError('rate_limited', message, { retry_after });
}
