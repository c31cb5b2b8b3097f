import { describe, expect, it } from '@jest/globals';
import { rankBuyers } from '../../../src/routing/rules/routing.js';
import type { RoutableLead } from '../../../src/routing/rules/routing.js';
import type { Schedule } from '../../../src/fields/schedule.js';
import type { BuyerTerms } from '../../../src/account/rules/plan.js';
import { aBuyer, aPlan, someFields } from '../../support/builders.js';

const now = new Date('2026-11-21T12:00:00Z');
const aLead = (overrides: Partial<RoutableLead> = {}): RoutableLead => ({
  fields: someFields(),
  is_test: false,
  seed: 'l1',
  ...overrides,
});
const rank = (buyers: BuyerTerms[], lead = aLead()) => rankBuyers(aPlan({ buyers }), lead, now);

describe('rankBuyers', () => {
  it('puts lower priorities first, none last, and equal ones by id', () => {
    const buyers = [
      aBuyer({ buyer_id: 'z', priority: null }),
      aBuyer({ buyer_id: 'b', priority: 2 }),
      aBuyer({ buyer_id: 'y', priority: null }),
      aBuyer({ buyer_id: 'a', priority: 2 }),
      aBuyer({ buyer_id: 'c', priority: 0 }),
      aBuyer({ buyer_id: 'd', priority: -1 }),
    ];
    const order = ['d', 'c', 'a', 'b', 'y', 'z'];
    expect(rank(buyers).candidates.map((buyer) => buyer.buyer_id)).toEqual(order);
    expect(rank([...buyers].reverse()).candidates.map((buyer) => buyer.buyer_id)).toEqual(order);
    expect(buyers[0]?.buyer_id).toBe('z');
  });

  it('leaves a buyer out with its reason, and keeps the order of the plan among those', () => {
    const buyers = [
      aBuyer({ buyer_id: 'z', status: 'paused' }),
      aBuyer({ buyer_id: 'm' }),
      aBuyer({ buyer_id: 'a', states: ['CA'] }),
    ];
    const { candidates, skipped } = rank(buyers);
    expect(candidates).toEqual([buyers[1]]);
    expect(skipped).toEqual([
      { buyer_id: 'z', reason: 'paused', detail: { status: 'paused' } },
      {
        buyer_id: 'a',
        reason: 'state_not_served',
        detail: { state: 'TX', served: ['CA'] },
      },
    ]);
  });

  it('checks the time: a closed buyer is a candidate once it opens', () => {
    const schedule: Schedule = [{ days: ['mon'], from: '09:00', to: '17:00' }];
    const plan = aPlan({ buyers: [aBuyer({ schedule })] });
    const opens = new Date('2026-11-23T14:00:00Z');
    expect(rankBuyers(plan, aLead(), now).skipped).toMatchObject([
      { reason: 'closed', detail: { opens_at: opens } },
    ]);
    expect(rankBuyers(plan, aLead(), opens).candidates).toHaveLength(1);
  });
});
