/** The verdict of a rate limit's token buckets on a request. */
import type { RateLimit } from './store/rateDoc.js';
import { rateLimitHeaders, type RatePolicy } from './headers.js';
import { createRateBuckets, type TokenBucket, type TokenDraw } from './store/rates.js';

export interface RateVerdict {
  allowed: boolean;
  /** Milliseconds until a retry may pass; 0 when allowed. */
  retryAfterMs: number;
  /** The bucket that decided: the emptier one, or the one to wait for. */
  bucket: 'burst' | 'sustained';
  /** The bucket's room, in tokens. */
  limit: number;
  /** Whole tokens left in it. */
  remaining: number;
  /** Whole seconds until it is full again; when refused, until a retry may pass. */
  resetSeconds: number;
}

/** The levels of both buckets as last seen; `held` tokens are taken out of them and not used yet. */
export type TokenLevels = Pick<TokenDraw, 'burst' | 'sustained'>;

export function allowedVerdict(limit: RateLimit, levels: TokenLevels, held: number): RateVerdict {
  const buckets = createRateBuckets(limit);
  const bucket = levels.burst <= levels.sustained ? 'burst' : 'sustained';
  const { rate, room } = buckets[bucket];
  const level = levels[bucket] + held;
  return {
    allowed: true,
    retryAfterMs: 0,
    bucket,
    limit: Math.floor(room),
    remaining: Math.max(0, Math.floor(level)),
    resetSeconds: Math.max(0, Math.ceil((room - level) / rate)),
  };
}

export function refusedVerdict(
  limit: RateLimit,
  levels: TokenLevels,
  retryAfterMs: number,
): RateVerdict {
  const buckets = createRateBuckets(limit);
  const waits = waitsMs(limit, levels);
  const bucket = waits.burst > waits.sustained ? 'burst' : 'sustained';
  return {
    allowed: false,
    retryAfterMs,
    bucket,
    limit: Math.floor(buckets[bucket].room),
    remaining: 0,
    resetSeconds: Math.max(1, Math.ceil(retryAfterMs / 1_000)),
  };
}

/** Milliseconds until both buckets have a whole token. */
export function tokenWaitMs(limit: RateLimit, levels: TokenLevels): number {
  const waits = waitsMs(limit, levels);
  return Math.max(waits.burst, waits.sustained);
}

function waitsMs(limit: RateLimit, levels: TokenLevels): TokenLevels {
  const { burst, sustained } = createRateBuckets(limit);
  // The database's clock shows whole milliseconds: one more makes sure.
  const wait = (bucket: TokenBucket, level: number): number =>
    level >= 1 ? 0 : ((1 - level) / bucket.rate) * 1_000 + 1;
  return { burst: wait(burst, levels.burst), sustained: wait(sustained, levels.sustained) };
}

/** The headers of a verdict. A bucket's quota is its room, its window the time in which it fills. */
export function verdictHeaders(
  { bucket, remaining, resetSeconds }: RateVerdict,
  policyName: string,
  limit: RateLimit,
): Record<string, string> {
  const buckets = createRateBuckets(limit);
  const nameOf = (one: RateVerdict['bucket']): string => `${policyName}-${one}`;
  const policyOf = (one: RateVerdict['bucket']): RatePolicy => {
    const { rate, room } = buckets[one];
    const windowSeconds = Math.max(1, Math.ceil(room / rate));
    return { name: nameOf(one), quota: Math.floor(room), windowSeconds };
  };
  const state = { name: nameOf(bucket), remaining, resetSeconds };
  return rateLimitHeaders([policyOf('burst'), policyOf('sustained')], state);
}
