import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  autoAcceptAt,
  quotaReached,
  computeReturnQuota,
  findReturnRefusal,
} from '../../../src/outcomes/rules/returnRules.js';
import { DEFAULT_RETURNS } from '../../../src/account/buyers/returnsSchema.js';
import { NOW } from '../../routing/rules/situations.js';

const DAY_MS = 86_400_000;
const ago = (ms: number): Date => new Date(Number(NOW) - ms);
const sold = (ms: number) => ({ at: ago(ms) });
const percent = fc.integer({ min: 0, max: 10_000 }).map((n) => n / 100);
const limit = fc.option(fc.integer({ min: 0, max: 10_000 }), { nil: null });
const settings = fc.record({
  max_per_month: limit,
  max_share_pct: fc.option(percent, { nil: null }),
});

describe('whether a sale may be returned', () => {
  it('is allowed without settings', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000 * DAY_MS }), (ms) => {
        expect(findReturnRefusal(DEFAULT_RETURNS, sold(ms), NOW)).toBeNull();
      }),
    );
  });

  it('uses the age of the sale, to the millisecond', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 365 }), (max_age_days) => {
        const limited = { allowed: true, max_age_days };
        expect(findReturnRefusal(limited, sold(max_age_days * DAY_MS), NOW)).toBeNull();
        expect(findReturnRefusal(limited, sold(max_age_days * DAY_MS + 1), NOW)).toBe(
          `It was sold ${max_age_days} days ago, and this buyer may return a lead for ${max_age_days} (max_age_days).`,
        );
      }),
    );
  });

  it('is refused where the buyer may not, and where it was returned already', () => {
    const never = { allowed: false, max_age_days: null };
    expect(findReturnRefusal(never, sold(0), NOW)).toContain('set_buyer_returns');
    const returned = { ...sold(0), returned: { at: NOW, return_id: 'r', cost_reversed: false } };
    expect(findReturnRefusal(DEFAULT_RETURNS, returned, NOW)).toBe(
      'The lead was returned already.',
    );
  });
});

describe('the limit of a month', () => {
  it('is unlimited when neither limit is set', () => {
    expect(computeReturnQuota(DEFAULT_RETURNS, 5)).toBeNull();
  });

  it('obeys each limit that is set, and reaches one of them', () => {
    fc.assert(
      fc.property(settings, fc.integer({ min: 0, max: 1_000_000 }), (limits, bought) => {
        const room = computeReturnQuota(limits, bought);
        const { max_per_month: count, max_share_pct: share } = limits;
        if (count === null && share === null) {
          expect(room).toBeNull();
          return;
        }
        if (!room) throw new Error('there must be a limit');
        const fits = (most: number): boolean =>
          (count === null || most <= count) &&
          (share === null ||
            BigInt(most) * 10_000n <= BigInt(bought) * BigInt(Math.round(share * 100)));
        expect([fits(room.most), fits(room.most + 1)]).toEqual([true, false]);
      }),
    );
  });

  it('never shrinks while more is sold', () => {
    fc.assert(
      fc.property(settings, fc.nat(100_000), fc.nat(100_000), (limits, bought, more) => {
        const [before, after] = [
          computeReturnQuota(limits, bought),
          computeReturnQuota(limits, bought + more),
        ];
        expect((after?.most ?? 0) >= (before?.most ?? 0)).toBe(true);
      }),
    );
  });

  it('says which limit is reached, with its numbers', () => {
    const limits = { max_per_month: 10, max_share_pct: 2.5 };
    const [byShare, byCount] = [computeReturnQuota(limits, 200), computeReturnQuota(limits, 4_000)];
    expect(byShare && quotaReached(byShare, limits, '2026-11', 200)).toBe(
      'This buyer may return 2.5 % of the 200 leads of 2026-11 that it bought, 5 (max_share_pct), and has reached that.',
    );
    expect(byCount && quotaReached(byCount, limits, '2026-11', 4_000)).toBe(
      'This buyer may return 10 of the leads of 2026-11 (max_per_month), and has reached that.',
    );
  });
});

describe('a request without a decision', () => {
  it('is accepted after the hours of the buyer, or never', () => {
    expect(autoAcceptAt({ auto_accept_hours: null }, NOW)).toBeUndefined();
    expect(autoAcceptAt({ auto_accept_hours: 0 }, NOW)).toEqual(NOW);
    expect(autoAcceptAt({ auto_accept_hours: 24 }, ago(DAY_MS))).toEqual(NOW);
  });
});
