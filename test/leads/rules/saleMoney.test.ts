import { describe, expect, it } from '@jest/globals';
import {
  costOf,
  isConverted,
  moneyOf,
  owesOnce,
  passOnCost,
  revenueNow,
  revenueOf,
} from '../../../src/leads/rules/saleMoney.js';
import type { Sale } from '../../../src/leads/rules/lead.js';
import { aSupplier } from '../../support/builders.js';
import { NOW } from '../../support/storedRows.js';

const aSale = (more: Partial<Sale> = {}): Sale => ({
  buyer_id: 'b1',
  attempt: 1,
  price: 100,
  cost: 40,
  at: NOW,
  ...more,
});
const returned = (cost_reversed: boolean) => ({ at: NOW, return_id: 'r1', cost_reversed });

describe('the money of a sale', () => {
  it('is its price, until it has a revenue of its own, also of 0', () => {
    expect(revenueOf(aSale())).toBe(100);
    expect(revenueOf(aSale({ revenue: 0 }))).toBe(0);
  });

  it('costs what it costs and carries, unless a return reversed it', () => {
    expect(costOf(aSale())).toBe(40);
    expect(costOf(aSale({ carries: 5 }))).toBe(45);
    expect(costOf(aSale({ carries: 5, returned: returned(false) }))).toBe(45);
    expect(costOf(aSale({ carries: 5, returned: returned(true) }))).toBe(0);
  });

  it('is summed for the lead, with the profit', () => {
    expect(moneyOf([aSale({ revenue: 120 }), aSale({ cost: 0, carries: 10 })])).toEqual({
      price: 220,
      cost: 50,
      profit: 170,
    });
    expect(moneyOf([])).toEqual({ price: 0, cost: 0, profit: 0 });
  });

  it('comes by its outcome: what was reported, else the agreed price of a conversion, else its price', () => {
    const converted = aSale({ outcome: 'converted' });
    expect(revenueNow(aSale({ conversion_revenue: 900, conversion_price: 500 }), false)).toBe(100);
    expect(revenueNow(converted, false)).toBe(100);
    expect(revenueNow({ ...converted, conversion_price: 500 }, false)).toBe(500);
    const both = { ...converted, conversion_price: 500, conversion_revenue: 0 };
    expect(revenueNow(both, false)).toBe(0);
    expect(revenueNow({ ...both, outcome: 'not_qualified' }, false)).toBe(100);
  });

  it('is nothing for a test lead and for a returned sale', () => {
    expect(revenueNow(aSale({ outcome: 'converted' }), true)).toBe(0);
    expect(revenueNow(aSale({ returned: returned(false) }), false)).toBe(0);
  });

  it('is converted while the outcome says so and the lead was not returned', () => {
    expect(isConverted(aSale({ outcome: 'converted' }))).toBe(true);
    expect(isConverted(aSale({ outcome: 'pending' }))).toBe(false);
    expect(isConverted(aSale({ outcome: 'converted', returned: returned(true) }))).toBe(false);
  });
});

describe('a lead that owes its supplier one cost', () => {
  it('is one whose supplier has a fixed price', () => {
    const plan = {
      suppliers: {
        fixed: aSupplier({ cost_mode: 'FIXED' }),
        share: aSupplier({ cost_mode: 'REVENUE_SHARE' }),
      },
    };
    const owes = (supplier_id: string) => owesOnce(plan, { supplier_id });
    expect(['fixed', 'share', 'unknown', 'constructor'].map(owes)).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect(owesOnce(undefined, { supplier_id: 'fixed' })).toBe(false);
  });

  it('passes it on to the first other sale for which the supplier is still owed', () => {
    const before = aSale();
    const after = { ...before, returned: returned(true) };
    const gone = aSale({ buyer_id: 'b2', cost: 0, returned: returned(true) });
    const kept = aSale({ buyer_id: 'b3', cost: 0, carries: 2, returned: returned(false) });
    const last = aSale({ buyer_id: 'b4', cost: 0 });
    expect(passOnCost([after, gone, kept, last], before, after)).toEqual([
      after,
      gone,
      { ...kept, carries: 42 },
      last,
    ]);
    expect(passOnCost([after, last], before, after)).toEqual([after, { ...last, carries: 40 }]);
    expect(passOnCost([after, gone], before, after)).toEqual([after, gone]);
    const less = { ...before, cost: 30 };
    expect(passOnCost([less, last], before, less)).toEqual([less, { ...last, carries: 10 }]);
  });

  it('passes nothing on while the sale costs as much as before', () => {
    const before = aSale();
    const after = { ...before, returned: returned(false) };
    const other = aSale({ buyer_id: 'b2', cost: 0 });
    expect(passOnCost([after, other], before, after)).toEqual([after, other]);
  });
});
