import { describe, it, expect } from '@jest/globals';
import { RateLease } from '../../../src/platform/rateLimits/lease.js';
import type { RateVerdict } from '../../../src/platform/rateLimits/verdict.js';
import type { RateLimit } from '../../../src/platform/rateLimits/store/rateDoc.js';
import type { TokenDraw } from '../../../src/platform/rateLimits/store/rates.js';

const LIMIT: RateLimit = { per_second: 100, burst_per_second: 200, burst_seconds: 10 };

/** A lease on a bucket and a clock that the test moves. */
function setUp(level = 200) {
  const state = { now: 0, level, draws: [] as { want: number; giveBack: number }[] };
  const draw = (_limit: RateLimit, want: number, giveBack: number): Promise<TokenDraw> => {
    state.draws.push({ want, giveBack });
    const granted = Math.min(want, Math.floor(state.level + giveBack));
    state.level += giveBack - granted;
    return Promise.resolve({ granted, burst: state.level, sustained: state.level + 800 });
  };
  const lease = new RateLease(LIMIT, draw, () => state.now);
  return { state, lease, take: () => lease.take(LIMIT) };
}

const allowed = (verdicts: readonly RateVerdict[]): number =>
  verdicts.filter((verdict) => verdict.allowed).length;

describe('a lease', () => {
  it('asks for one token for a lone request', async () => {
    const { state, take } = setUp();
    await take();
    expect(state.draws).toEqual([{ want: 1, giveBack: 0 }]);
  });

  it('draws once for all waiting requests, and again for later ones', async () => {
    const { state, take } = setUp();
    const verdicts = await Promise.all(Array.from({ length: 50 }, take));
    expect(allowed(verdicts)).toBe(50);
    expect(state.draws).toEqual([
      { want: 1, giveBack: 0 },
      { want: 49, giveBack: 0 },
    ]);
  });

  it('leases ahead what the latest requests needed, up to 50 ms', async () => {
    const { state, take } = setUp();
    for (let n = 0; n < 20; n += 1) {
      await take();
      state.now += 5;
    }
    // 20 requests at 200/s: one by one until demand is known, then five at a time.
    expect(Math.max(...state.draws.map(({ want }) => want))).toBe(5);
    expect(state.draws.length).toBeLessThanOrEqual(8);
  });

  it('refuses without a database call while a refusal is valid, and asks at once when the limit changes', async () => {
    const { state, lease, take } = setUp(0);
    expect(await take()).toMatchObject({ allowed: false });
    state.level = 200;
    expect(await take()).toMatchObject({ allowed: false });
    const raised: RateLimit = { per_second: 1_000, burst_per_second: 2_000, burst_seconds: 10 };
    expect(await lease.take(raised)).toMatchObject({ allowed: true });
  });

  it('leases what a key with ten requests a second uses in half a second', async () => {
    const { state, take } = setUp();
    for (let n = 0; n < 50; n += 1) {
      await take();
      state.now += 100;
    }
    expect(state.draws.length).toBeLessThanOrEqual(15);
  });

  it('returns, once, tokens that were not used within 500 ms', async () => {
    const { state, lease, take } = setUp();
    for (let n = 0; n < 8; n += 1) await take();
    const taken = 200 - state.level;
    expect(taken).toBeGreaterThan(8);
    lease.handBack(state.now + 499);
    expect(state.level).toBe(200 - taken);
    lease.handBack(state.now + 500);
    lease.handBack(state.now + 1_000);
    expect(state.level).toBe(192);
    expect(lease.idle).toBe(true);
  });

  it('trades in expired tokens for new ones', async () => {
    const { state, take } = setUp();
    for (let n = 0; n < 8; n += 1) await take();
    const unused = 200 - state.level - 8;
    state.now += 1_000;
    await take();
    expect(state.draws.at(-1)).toEqual({ want: 1, giveBack: unused });
    expect(state.level).toBe(191);
  });

  it('refuses without a database call while no token can exist, for at most 50 ms', async () => {
    const { state, take } = setUp(0);
    expect(await take()).toMatchObject({ allowed: false, retryAfterMs: 6, remaining: 0 });
    state.now = 5;
    expect(await take()).toMatchObject({ allowed: false, retryAfterMs: 1 });
    expect(state.draws).toHaveLength(1);
    state.now = 6;
    state.level = 1;
    expect(await take()).toMatchObject({ allowed: true, retryAfterMs: 0 });
    expect(state.draws).toHaveLength(2);
  });

  it('grants in order and refuses the rest', async () => {
    const { take } = setUp(3);
    const verdicts = await Promise.all(Array.from({ length: 5 }, take));
    expect(verdicts.map((verdict) => verdict.allowed)).toEqual([true, true, true, false, false]);
  });

  it('fails all waiting requests when the draw fails, and tries again for the next', async () => {
    const failures = [new Error('no primary'), new Error('no primary')];
    const lease = new RateLease(
      LIMIT,
      () => {
        const failure = failures.shift();
        if (failure) return Promise.reject(failure);
        return Promise.resolve({ granted: 1, burst: 199, sustained: 999 });
      },
      () => 0,
    );
    for (let n = 0; n < 2; n += 1) {
      const both = await Promise.allSettled([lease.take(LIMIT), lease.take(LIMIT)]);
      for (const verdict of both) {
        expect(verdict).toMatchObject({ reason: { code: 'unavailable', status: 503 } });
      }
    }
    expect(await lease.take(LIMIT)).toMatchObject({ allowed: true });
  });
});
