import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { bidOf } from '../../../src/account/rules/bid.js';
import { DEFAULT_PING_SETTINGS, type Margin } from '../../../src/account/rules/pingSettings.js';
import { aSupplier } from '../../support/builders.js';

const UNIT = 1_000_000;
const HIGHEST = 1_000_000 * UNIT;

const priced = (
  price: number,
  given: {
    margin?: Margin;
    link?: Margin | null;
    supplier?: Parameters<typeof aSupplier>[0];
    settings?: Partial<typeof DEFAULT_PING_SETTINGS>;
  } = {},
) =>
  bidOf({
    price,
    terms: { margin: given.link },
    supplier: aSupplier({ cost_mode: 'NONE', ...given.supplier }),
    settings: {
      ...DEFAULT_PING_SETTINGS,
      margin: given.margin ?? { percent: 0 },
      ...given.settings,
    },
  });

describe('bidOf', () => {
  it('is the price without any settings', () => {
    expect(priced(25 * UNIT)).toEqual({ net: 25 * UNIT, bid: 25 * UNIT });
    expect(priced(0)).toEqual({ net: 0, bid: 0 });
  });

  it('is a FIXED cost as it is, to its fourth decimal, whatever bids are lowered and rounded to', () => {
    fc.assert(
      fc.property(fc.nat({ max: 9_999_999 }), fc.nat({ max: 4 }), (steps, bid_decimals) => {
        const cost_per_lead = steps * 100;
        const supplier = { cost_mode: 'FIXED', cost_per_lead } as const;
        const settings = { bid_decimals, max_bid: UNIT };
        expect(priced(25 * UNIT, { supplier, settings })).toMatchObject({ bid: cost_per_lead });
      }),
    );
  });

  it('applies the margin of the link, or else that of the campaign', () => {
    const margin = { percent: 20 };
    expect(priced(10 * UNIT, { margin })).toEqual({ net: 8 * UNIT, bid: 8 * UNIT });
    expect(priced(10 * UNIT, { margin, link: null })).toMatchObject({ net: 8 * UNIT });
    expect(priced(10 * UNIT, { margin, link: { fixed: UNIT } })).toMatchObject({ net: 9 * UNIT });
    expect(priced(10 * UNIT, { margin: { percent: 100 } })).toEqual({ net: 0, bid: 0 });
  });

  it('is the cost of the supplier link, whatever the margin', () => {
    const margin = { percent: 50 };
    const fixed = { cost_mode: 'FIXED' as const, cost_per_lead: 7 * UNIT };
    const share = { cost_mode: 'REVENUE_SHARE' as const, revenue_share: 33.3333 };
    expect(priced(10 * UNIT, { margin, supplier: fixed })).toEqual({
      net: 5 * UNIT,
      bid: 7 * UNIT,
    });
    expect(priced(10 * UNIT, { margin, supplier: share })).toEqual({
      net: 5 * UNIT,
      bid: 3_330_000,
    });
  });

  it('is lowered to max_bid and rounded down to the decimals of the campaign', () => {
    const settings = { bid_decimals: 0 };
    expect(priced(9_999_999, { settings })).toMatchObject({ net: 9_999_999, bid: 9 * UNIT });
    expect(priced(9_999_999, { settings: { bid_decimals: 4 } })).toMatchObject({ bid: 9_999_900 });
    const lowered = { bid_decimals: 2, max_bid: 5_555_555 };
    expect(priced(9_999_999, { settings: lowered })).toMatchObject({ bid: 5_550_000 });
  });

  it('is none under min_bid, after the rounding', () => {
    const settings = { min_bid: 5 * UNIT, bid_decimals: 0 };
    expect(priced(5_900_000, { settings })).toMatchObject({ bid: 5 * UNIT });
    expect(priced(4_999_999, { settings })).toEqual({
      reason: 'below_min_bid',
      detail: { bid: 4 * UNIT, min_bid: 5 * UNIT },
    });
    expect(priced(9 * UNIT, { settings: { min_bid: 5 * UNIT, max_bid: UNIT } })).toMatchObject({
      reason: 'below_min_bid',
    });
  });

  it('is none where a fixed margin is larger than the price', () => {
    const margin = { fixed: 3 * UNIT };
    expect(priced(3 * UNIT, { margin })).toEqual({ net: 0, bid: 0 });
    expect(priced(3 * UNIT - 1, { margin })).toEqual({
      reason: 'below_margin',
      detail: { price: 3 * UNIT - 1, margin },
    });
  });

  const micros = fc.integer({ min: 0, max: HIGHEST });
  const percent = fc.integer({ min: 0, max: 1_000_000 }).map((steps) => steps / 10_000);
  const margins = fc.oneof(fc.record({ percent }), fc.record({ fixed: micros }));
  const settings = fc.record({
    margin: margins,
    min_bid: fc.option(micros),
    max_bid: fc.option(micros),
    bid_decimals: fc.integer({ min: 0, max: 4 }),
  });
  const supplier = fc
    .record({
      cost_mode: fc.constantFrom('FIXED' as const, 'REVENUE_SHARE' as const, 'NONE' as const),
      cost_per_lead: micros,
      revenue_share: percent,
    })
    .map(aSupplier);

  it('stays within its limits, in whole micro-units, and never rounds up', () => {
    fc.assert(
      fc.property(micros, fc.option(margins), settings, supplier, (price, link, rules, from) => {
        const result = bidOf({ price, terms: { margin: link }, supplier: from, settings: rules });
        const margin = link ?? rules.margin;
        if ('reason' in result) {
          const tooLow = result.reason === 'below_margin';
          if (tooLow) expect('fixed' in margin && margin.fixed > price).toBe(true);
          else expect(Number(result.detail.bid)).toBeLessThan(rules.min_bid ?? 0);
          return;
        }
        const { net, bid } = result;
        expect([net, bid].every((amount) => Number.isSafeInteger(amount))).toBe(true);
        expect(net).toBeGreaterThanOrEqual(0);
        expect(bid).toBeGreaterThanOrEqual(rules.min_bid ?? 0);
        if (from.cost_mode !== 'FIXED') {
          expect(bid).toBeLessThanOrEqual(rules.max_bid ?? Infinity);
          expect(bid % 10 ** (6 - rules.bid_decimals)).toBe(0);
        }
        // Exactly: net = floor(price * (100 - percent) / 100), or price - fixed.
        const hundred = 1_000_000n;
        const steps = 'percent' in margin ? BigInt(Math.round(margin.percent * 10_000)) : 0n;
        const kept =
          'percent' in margin
            ? BigInt(price) * (hundred - steps)
            : BigInt(price - margin.fixed) * hundred;
        expect(BigInt(net) * hundred <= kept && kept < BigInt(net + 1) * hundred).toBe(true);
        // Never more than the amount it is derived from.
        const full = {
          FIXED: BigInt(from.cost_per_lead) * hundred,
          REVENUE_SHARE: BigInt(price) * BigInt(Math.round(from.revenue_share * 10_000)),
          NONE: kept,
        }[from.cost_mode];
        expect(BigInt(bid) * hundred <= full).toBe(true);
      }),
    );
  });
});
