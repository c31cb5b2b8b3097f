/**
 * The rate limit of a key, shared by all processes without a database call per request. Each process leases tokens from
 * the shared buckets in small batches, as many as it needed recently, and returns those it does not use: tokens are
 * never invented, only held for a moment.
 */
import { performance } from 'node:perf_hooks';
import type { Collection } from 'mongodb';
import type { RateDoc, RateLimit } from './store/rateDoc.js';
import { drawTokens } from './store/rates.js';
import { LEASE_MS, RateLease } from './lease.js';
import type { RateVerdict } from './verdict.js';

/** A key unused for this long, in milliseconds, is forgotten: the shared buckets hold all that matters. */
const FORGET_AFTER_MS = 1_000;
const KEYS_MAX = 20_000;

export type RateLimiter = ReturnType<typeof createRateLimiter>;

export function createRateLimiter(deps: {
  rates: Collection<RateDoc>;
  /** A monotonic clock in milliseconds. */
  now?: () => number;
}) {
  const now = deps.now ?? (() => performance.now());
  const leases = new Map<string, RateLease>();
  let sweeper: NodeJS.Timeout | undefined;

  const sweep = (): void => {
    const at = now();
    for (const [key, lease] of leases) {
      lease.handBack(at);
      if (lease.idle && at - lease.usedAt > FORGET_AFTER_MS) leases.delete(key);
    }
    if (leases.size > 0) return;
    clearInterval(sweeper);
    sweeper = undefined;
  };

  const open = (key: string, limit: RateLimit): RateLease => {
    const known = leases.get(key);
    if (known) return known;
    const [oldest] = leases.keys();
    // Requests that wait for a forgotten lease keep it alive until they have their verdict.
    if (oldest !== undefined && leases.size >= KEYS_MAX) leases.delete(oldest);
    const lease = new RateLease(
      limit,
      (current, want, giveBack) => drawTokens(deps.rates, { key, limit: current, want, giveBack }),
      now,
    );
    leases.set(key, lease);
    sweeper ??= setInterval(sweep, LEASE_MS / 2).unref();
    return lease;
  };

  return {
    /**
     * Takes one token of the key. Two uses of one caller with limits of their own (ingest, ping) need two keys here.
     * @throws {AppError} `unavailable` when MongoDB does not answer
     */
    take: (key: string, limit: RateLimit): Promise<RateVerdict> => open(key, limit).take(limit),
    /** Whether the next `take` of this key begins a call of MongoDB: this process holds no token, and awaits none. */
    beginsDraw: (key: string): boolean => leases.get(key)?.beginsDraw(now()) ?? true,
    /** Stops returning unused tokens; requests that wait still get their verdict. */
    close: (): void => {
      clearInterval(sweeper);
      leases.clear();
    },
  };
}
