import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { priceLead } from '../../../src/account/rules/pricing.js';
import { fromMicros, MONEY_MAX, readMicros, toMicros } from '../../../src/fields/money.js';
import type { SupplierTerms } from '../../../src/account/rules/plan.js';

type Terms = Pick<SupplierTerms, 'cost_mode' | 'cost_per_lead' | 'revenue_share'>;
const terms = (overrides: Partial<Terms> = {}): Terms => ({
  cost_mode: 'FIXED',
  cost_per_lead: 10_000_000,
  revenue_share: 60,
  ...overrides,
});

describe('priceLead', () => {
  const table: [Partial<Terms>, number, number, number][] = [
    [{}, 25_000_000, 10_000_000, 15_000_000],
    [{}, 5_000_000, 10_000_000, -5_000_000],
    [{ cost_mode: 'REVENUE_SHARE' }, 25_000_000, 15_000_000, 10_000_000],
    [{ cost_mode: 'REVENUE_SHARE', revenue_share: 33.3333 }, 10_000_000, 3_333_330, 6_666_670],
    [{ cost_mode: 'REVENUE_SHARE', revenue_share: 50 }, 1, 1, 0],
    [{ cost_mode: 'REVENUE_SHARE', revenue_share: 49.9999 }, 1, 0, 1],
    [
      { cost_mode: 'REVENUE_SHARE', revenue_share: 100 },
      9_007_199_254_740_991,
      9_007_199_254_740_991,
      0,
    ],
    [{ cost_mode: 'REVENUE_SHARE', revenue_share: 0 }, 25_000_000, 0, 25_000_000],
    [{ cost_mode: 'NONE' }, 25_000_000, 0, 25_000_000],
  ];
  it.each(table)('%j at price %d costs %d and leaves %d', (overrides, price, cost, profit) => {
    const input = { price, supplier: terms(overrides), is_test: false, further: false };
    expect(priceLead(input)).toEqual({ price, cost, profit });
  });

  it.each([
    ['FIXED', 0],
    ['REVENUE_SHARE', 10_000_000],
    ['NONE', 0],
  ] as const)('pays a fixed cost once, and a share of each sale: %s', (cost_mode, cost) => {
    const supplier = { cost_mode, cost_per_lead: 7_000_000, revenue_share: 40 };
    const input = { price: 25_000_000, supplier, is_test: false, further: true };
    expect(priceLead(input)).toEqual({ price: 25_000_000, cost, profit: 25_000_000 - cost });
  });

  it.each(['FIXED', 'REVENUE_SHARE', 'NONE'] as const)(
    'records no money for a test lead by %s',
    (cost_mode) => {
      const input = {
        price: 25_000_000,
        supplier: terms({ cost_mode }),
        is_test: true,
        further: false,
      };
      expect(priceLead(input)).toEqual({ price: 0, cost: 0, profit: 0 });
    },
  );

  it('always splits the price into whole units of cost and profit', () => {
    const supplier = fc.record({
      cost_mode: fc.constantFrom('FIXED', 'REVENUE_SHARE', 'NONE'),
      cost_per_lead: fc.integer({ min: 0, max: 1e12 }),
      revenue_share: fc.double({ min: 0, max: 100, noNaN: true }),
    });
    fc.assert(
      fc.property(
        supplier,
        fc.integer({ min: 0, max: 1e12 }),
        fc.boolean(),
        (given, price, further) => {
          const money = priceLead({ price, supplier: given, is_test: false, further });
          expect(money.cost + money.profit).toBe(price);
          expect(Number.isSafeInteger(money.cost)).toBe(true);
          expect(money.cost).toBeGreaterThanOrEqual(0);
          if (given.cost_mode === 'REVENUE_SHARE') expect(money.cost).toBeLessThanOrEqual(price);
        },
      ),
    );
  });
});

describe('amounts on the wire', () => {
  it.each([
    [0, 0],
    [-0, 0],
    [25, 25_000_000],
    [12.5, 12_500_000],
    [0.0001, 100],
    [1.005, 1_005_000],
    [0.3, 300_000],
    [-2.25, -2_250_000],
    [123_456.7891, 123_456_789_100],
  ])('%d is %d micro-units', (amount, micros) => {
    expect(toMicros(amount)).toBe(micros);
    expect(fromMicros(micros)).toBe(amount + 0);
  });

  it.each([0.00001, 1.23456, 0.1 + 0.2, Number.NaN, Infinity, -Infinity])(
    'refuses %d',
    (amount) => {
      expect(() => toMicros(amount)).toThrow(/at most 4 decimals/);
    },
  );

  it('refuses an amount too large to count exactly, and names the greatest', () => {
    expect(() => toMicros(1e15)).toThrow('at most 9007199254; 1000000000000000 is too large');
  });

  it.each([
    [0, 0],
    [-0, 0],
    [12.5, 12_500_000],
    [MONEY_MAX.exact, 9_007_199_254_000_000],
    [MONEY_MAX.exact + 1, null],
    [-0.0001, null],
    [0.00001, null],
    [Number.NaN, null],
    [Infinity, null],
    ['12.5', null],
    [undefined, null],
  ])('reads %p as %p, or as no amount', (amount, micros) => {
    expect(readMicros(amount)).toBe(micros);
  });

  it('reads no amount above the limit of its kind', () => {
    expect(readMicros(MONEY_MAX.bid, MONEY_MAX.bid)).toBe(1_000_000_000_000);
    expect(readMicros(MONEY_MAX.bid + 0.0001, MONEY_MAX.bid)).toBeNull();
  });

  it('shows a finer amount rounded to four decimals', () => {
    expect(fromMicros(333_350)).toBe(0.3334);
    expect(fromMicros(333_349)).toBe(0.3333);
    expect(Object.is(fromMicros(-1), 0)).toBe(true);
  });

  it('reads back what it wrote', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9_007_199_254_740 }), (steps) => {
        expect(toMicros(fromMicros(steps * 100))).toBe(steps * 100);
      }),
    );
  });
});
