import { describe, expect, it } from '@jest/globals';
import { differences, holdsNow, termChanges } from '../../../src/portal/rules/changedTerms.js';

describe('the terms that a request changes', () => {
  it('are only those that differ from the current ones', () => {
    const current = { price: 25_500_000, states: ['CA'], caps: { daily_cap: 100 } };
    const wanted = { price: 30_000_000, states: ['CA'], caps: { daily_cap: 100 } };
    expect(differences(current, wanted)).toEqual({
      before: { price: 25_500_000 },
      after: { price: 30_000_000 },
    });
  });

  it('ignore the order of keys, and treat null as absent', () => {
    const one = { caps: { daily_cap: 5, weekly_cap: null, total_budget: 1 } };
    expect(holdsNow(one, { caps: { total_budget: 1, daily_cap: 5 } })).toBe(true);
    expect(holdsNow({ filters: null }, {})).toBe(true);
    expect(holdsNow(one, { caps: { daily_cap: 5 } })).toBe(false);
  });

  it('are listed cap by cap, with money in the currency', () => {
    const before = { price: 25_500_000, caps: { daily_cap: 100, total_budget: 900_250_000 } };
    const after = { price: 30_000_000, caps: { daily_cap: 50, total_budget: 900_250_000 } };
    expect(termChanges(before, after)).toEqual([
      { name: 'price', before: 25.5, after: 30 },
      { name: 'daily_cap', before: 100, after: 50 },
    ]);
  });

  it('are written as their table says', () => {
    expect(termChanges({ conversion_price: null }, { conversion_price: 1_500_000 })).toEqual([
      { name: 'conversion_price', before: null, after: 1.5 },
    ]);
  });

  it('list caps of weekdays as one term', () => {
    const [before, after] = [{ caps: { daily_caps: { sun: 0 } } }, { caps: { daily_cap: 5 } }];
    expect(termChanges(before, after)).toEqual([
      { name: 'daily_cap', before: null, after: 5 },
      { name: 'daily_caps', before: { sun: 0 }, after: null },
    ]);
    expect(holdsNow(before, { caps: { daily_caps: { mon: null, sun: 0 } } })).toBe(true);
  });

  it('show a removed limit as null', () => {
    expect(termChanges({ caps: { daily_cap: 100 } }, { caps: {} })).toEqual([
      { name: 'daily_cap', before: 100, after: null },
    ]);
  });
});
