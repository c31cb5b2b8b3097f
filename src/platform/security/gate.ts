/**
 * How often an address may call without a valid key, in memory alone: a request refused here costs no lookup. Each
 * process counts for itself.
 */
import { AppError } from '../../lib/errors.js';
import { lruMap } from '../../lib/lruMap.js';

export interface Attempt {
  /** As `addressGroup` gives it. */
  address: string;
  /** Identifies the text sent as a key without revealing it; null when it does not have the form of a key. */
  credential: string | null;
}

/**
 * `passed`: the key is valid. `failed`: it is not, or no longer. `open`: the result is unknown, and counts as neither.
 */
export type AttemptResult = 'passed' | 'failed' | 'open';

export interface GateOptions {
  /** Failures that an address may have at once, and gets back in a minute; 0: any number. */
  failuresPerMinute: number;
  /** A monotonic clock in milliseconds. */
  now?: () => number;
}

/**
 * Two allowances of an address. Most failures are certain beforehand: no key, a mistyped one, one that has just been
 * refused. They do not use up the tries of other keys, so that a misconfigured client does not prevent others behind
 * the same address from using a key for the first time.
 */
type Allowance = 'certain' | 'tries';

interface Bucket {
  left: number;
  /** When it was last refilled, in milliseconds. */
  at: number;
  /** Attempts whose result is not known yet, one for each key. */
  open: Set<string>;
}

type Buckets = Record<Allowance, Bucket>;

const MINUTE_MS = 60_000;
/** The addresses, valid keys and refused keys that are remembered; those that came longest ago are forgotten. */
const ADDRESSES_MAX = 20_000;
const VALID_MAX = 50_000;
const REFUSED_MAX = 20_000;

export type Gate = ReturnType<typeof createGate>;

export function createGate({ failuresPerMinute, now = () => performance.now() }: GateOptions) {
  if (failuresPerMinute === 0) return { admit: () => () => undefined };
  const addresses = lruMap<string, Buckets>(ADDRESSES_MAX);
  const keys = rememberKeys();
  const fullBucket = (): Bucket => ({ left: failuresPerMinute, at: now(), open: new Set() });
  /** The buckets of an address; full ones when no failure of it is remembered. */
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
    // Without recent failures any number may be looked up at once, as when a process has just started.
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
    /**
     * Lets an attempt in. Returns a function to call with its result; of two calls the later one counts.
     * @throws {AppError} `rate_limited` when too many attempts from this address have failed; never with a key that was
     * valid when this process last looked it up
     */
    admit({ address, credential }: Attempt): (result: AttemptResult) => void {
      const allowance = keys.isRefused(credential) ? 'certain' : 'tries';
      const bucket = bucketsOf(address)[allowance];
      if (!keys.isValid(credential)) require(bucket, credential);
      if (credential !== null) bucket.open.add(credential);
      let isSettled = false;
      return (result) => {
        // An unknown result does not replace a known one.
        if (result === 'open' && isSettled) return;
        isSettled = true;
        if (credential !== null) bucket.open.delete(credential);
        keys.remember(credential, result);
        if (result === 'failed') fail(address, allowance);
      };
    },
  };
}

function rememberKeys() {
  const valid = lruMap<string, true>(VALID_MAX);
  const refused = lruMap<string, true>(REFUSED_MAX);
  return {
    isValid: (credential: string | null): boolean =>
      credential !== null && valid.get(credential) === true,
    /** It does not have the form of a key, or was refused recently. */
    isRefused: (credential: string | null): boolean =>
      credential === null || refused.get(credential) === true,
    remember(credential: string | null, result: AttemptResult): void {
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
