import { describe, expect, it } from '@jest/globals';
import { CAP_SCOPES } from '../../../src/account/rules/capLimits.js';
import { capUse, fullEntry, type Offer } from '../../../src/routing/rules/capUse.js';
import { emptyCapState } from '../../../src/routing/rules/caps.js';
import { aBuyer, aPlan, aSupplier } from '../../support/builders.js';

const AT = new Date('2026-11-21T12:00:00Z');
const offer = (more: Partial<Offer> = {}): Offer => ({
  plan: aPlan(),
  supplier: aSupplier({ cost_per_lead: 4 }),
  terms: aBuyer({ price: 10 }),
  isTest: false,
  further: false,
  ...more,
});

describe('what a sale adds to caps', () => {
  it('is a lead with its price, for the supplier with its cost', () => {
    expect(CAP_SCOPES.map((scope) => capUse(scope, offer()))).toEqual([
      { amount: 10, leads: 1 },
      { amount: 4, leads: 1 },
      { amount: 10, leads: 1 },
    ]);
  });

  it('is a lead for the buyer alone when it was sold before', () => {
    const further = offer({ further: true });
    expect(CAP_SCOPES.map((scope) => capUse(scope, further).leads)).toEqual([1, 0, 0]);
  });
});

describe('the entry of a full cap', () => {
  const counters = { ...emptyCapState(), day: { key: '2026-11-21', count: 2, amount: 20 } };

  it('names the buyer whose cap is full, with the windows that are limited', () => {
    const full = offer({ terms: aBuyer({ caps: { daily_cap: 2, total_budget: 1e9 } }) });
    expect(fullEntry('buyer', full, counters, AT)).toEqual({
      at: AT,
      step: 'caps',
      result: 'full',
      buyer_id: 'b1',
      reason: 'buyer_cap',
      detail: {
        limit: 'daily_cap',
        allowed: 2,
        counted: 2,
        asks: 1,
        windows: { day: { count: 2, amount: 20 }, total: { count: 0, amount: 0 } },
      },
    });
  });

  it('names the cap of the weekday, and its day', () => {
    const caps = { daily_cap: 9, daily_caps: { sat: 2 } };
    expect(fullEntry('buyer', offer({ terms: aBuyer({ caps }) }), counters, AT).detail).toEqual({
      limit: 'daily_cap',
      allowed: 2,
      counted: 2,
      asks: 1,
      windows: { day: { key: '2026-11-21', count: 2, amount: 20 } },
    });
  });

  it('says that a later run has the reservation where there is room', () => {
    expect(fullEntry('campaign', offer(), counters, AT)).toEqual({
      at: AT,
      step: 'caps',
      result: 'lost',
      reason: 'overtaken',
    });
  });
});
