/**
 * One key's share of its allowance in this process: tokens leased from the shared buckets, and the requests waiting for
 * them.
 */
import { isDeepStrictEqual } from 'node:util';
import { unavailable } from '../../lib/errors.js';
import type { RateLimit } from './store/rateDoc.js';
import type { TokenDraw } from './store/rates.js';
import {
  allowedVerdict,
  refusedVerdict,
  tokenWaitMs,
  type RateVerdict,
  type TokenLevels,
} from './verdict.js';

/**
 * Leased tokens are used within this time or handed back. Long enough that a key with ten requests a second leases
 * several at once: with half of it, each outcome of such a buyer cost most of a database call.
 */
export const LEASE_MS = 500;
/** Demand is counted in windows of this length: a lease is meant to last for one. */
const DEMAND_WINDOW_MS = LEASE_MS;
/** A lease ahead of demand takes at most this part of a second's allowance. */
const LEASE_SHARE = 0.05;
/** How long a refusal is repeated without a draw: a flood costs one draw in each of these spans. */
const REFUSAL_MS = { least: 5, most: 50 };

/** Returns `giveBack` tokens to the shared buckets, then takes up to `want`. */
type Draw = (limit: RateLimit, want: number, giveBack: number) => Promise<TokenDraw>;

interface Waiter {
  resolve: (verdict: RateVerdict) => void;
  reject: (error: Error) => void;
}

export class RateLease {
  usedAt = 0;
  private tokens = 0;
  private leasedAt = 0;
  private levels: TokenLevels = { burst: 0, sustained: 0 };
  private waiting: Waiter[] = [];
  private drawing = false;
  private emptyUntil = 0;
  private nextTokenAt = 0;
  private demand = { since: 0, current: 0, previous: 0 };

  constructor(
    private limit: RateLimit,
    private readonly draw: Draw,
    private readonly now: () => number,
  ) {}

  take(limit: RateLimit): Promise<RateVerdict> {
    const at = this.now();
    // A refusal applies only to the limit that it was given under.
    if (!isDeepStrictEqual(limit, this.limit)) this.emptyUntil = 0;
    this.limit = limit;
    this.usedAt = at;
    this.countDemand(at);
    if (this.holdsToken(at)) return Promise.resolve(this.useToken());
    if (!this.drawing && at < this.emptyUntil) return Promise.resolve(this.refusal(at));
    return new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject });
      if (!this.drawing) void this.drawForWaiting();
    });
  }

  /** Whether the next `take` begins a call of MongoDB. */
  beginsDraw(at: number): boolean {
    return !this.drawing && !this.holdsToken(at) && at >= this.emptyUntil;
  }

  /** Whether this lease can be forgotten without losing tokens. */
  get idle(): boolean {
    return !this.drawing && this.tokens === 0;
  }

  /** Returns unused tokens after `LEASE_MS`. Tokens that do not arrive are lost, which errs on the safe side. */
  handBack(at: number): void {
    if (this.drawing || this.tokens === 0 || at - this.leasedAt < LEASE_MS) return;
    const unused = this.tokens;
    this.tokens = 0;
    this.draw(this.limit, 0, unused).catch(() => undefined);
  }

  private holdsToken(at: number): boolean {
    return this.tokens > 0 && at - this.leasedAt < LEASE_MS;
  }

  private useToken(): RateVerdict {
    this.tokens -= 1;
    return allowedVerdict(this.limit, this.levels, this.tokens);
  }

  private refusal(at: number): RateVerdict {
    const wait = Math.max(1, Math.ceil(this.nextTokenAt - at));
    return refusedVerdict(this.limit, this.levels, wait);
  }

  /** One draw at a time: a request that comes meanwhile waits for it, or shares the next. */
  private async drawForWaiting(): Promise<void> {
    this.drawing = true;
    try {
      while (this.waiting.length > 0) {
        const want = Math.max(this.waiting.length, this.wantAhead());
        const expired = this.tokens;
        this.tokens = 0;
        this.share(await this.draw(this.limit, want, expired), want);
      }
    } catch (cause) {
      const error = unavailable(
        'The rate limit cannot be checked now; nothing was accepted',
        cause,
      );
      for (const waiter of this.waiting.splice(0)) waiter.reject(error);
    } finally {
      this.drawing = false;
    }
  }

  private share(draw: TokenDraw, want: number): void {
    const at = this.now();
    this.levels = draw;
    this.tokens = draw.granted;
    this.leasedAt = at;
    for (const waiter of this.waiting.splice(0, draw.granted)) waiter.resolve(this.useToken());
    if (draw.granted >= want) return;
    const wait = tokenWaitMs(this.limit, draw);
    this.nextTokenAt = at + wait;
    this.emptyUntil = at + Math.min(Math.max(wait, REFUSAL_MS.least), REFUSAL_MS.most);
    for (const waiter of this.waiting.splice(0)) waiter.resolve(this.refusal(at));
  }

  private countDemand(at: number): void {
    const { since, current } = this.demand;
    if (at - since < DEMAND_WINDOW_MS) {
      this.demand.current += 1;
      return;
    }
    const justEnded = at - since < 2 * DEMAND_WINDOW_MS;
    this.demand = { since: at, current: 1, previous: justEnded ? current : 0 };
  }

  private wantAhead(): number {
    const recent = Math.max(this.demand.current, this.demand.previous);
    return Math.min(recent, Math.max(1, Math.floor(this.limit.per_second * LEASE_SHARE)));
  }
}
