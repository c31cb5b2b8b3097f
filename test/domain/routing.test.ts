import { describe, expect, it } from '@jest/globals';
import { rankBuyers } from '../../src/domain/routing.js';
import type { RoutableLead, SkippedBuyer } from '../../src/domain/routing.js';
import type { BuyerTerms } from '../../src/domain/plan.js';
import { aBuyer, aPlan, someFields } from './builders.js';

const aLead = (overrides: Partial<RoutableLead> = {}): RoutableLead => ({
  fields: someFields(),
  is_test: false,
  seed: 'l1',
  ...overrides,
});
const rank = (buyers: BuyerTerms[], lead = aLead()) => rankBuyers(aPlan({ buyers }), lead);

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

  const filters = { all: [{ id: 'f1', field: 'age', operator: '==' as const, value: 40 }] };
  const table: [string, Partial<BuyerTerms>, RoutableLead, Omit<SkippedBuyer, 'buyer_id'>][] = [
    ['a paused buyer', { status: 'paused' }, aLead(), { reason: 'paused' }],
    [
      'a paused buyer, for a test lead too',
      { status: 'paused', test_mode: true },
      aLead({ is_test: true }),
      { reason: 'paused' },
    ],
    [
      'a buyer in test mode, for a live lead',
      { test_mode: true },
      aLead(),
      { reason: 'test_mode_only' },
    ],
    ['a live buyer, for a test lead', {}, aLead({ is_test: true }), { reason: 'live_only' }],
    [
      'a buyer of states, for a lead without',
      { states: ['TX'] },
      aLead({ fields: {} }),
      { reason: 'state_missing' },
    ],
    [
      'a buyer of other states',
      { states: ['CA', 'NV'] },
      aLead(),
      { reason: 'state_not_served', detail: { state: 'TX' } },
    ],
    [
      'a buyer whose filters fail',
      { filters },
      aLead({ fields: someFields({ age: 41 }) }),
      {
        reason: 'filtered',
        detail: { failures: [{ filter_id: 'f1', field: 'age', operator: '==', actual: 41 }] },
      },
    ],
  ];
  it.each(table)('leaves out %s', (_, buyer, lead, why) => {
    expect(rank([aBuyer(buyer)], lead)).toEqual({
      candidates: [],
      skipped: [{ buyer_id: 'b1', ...why }],
    });
  });

  it.each([
    ['of every state, for a lead without one', { states: [] }, aLead({ fields: {} })],
    ['of its state, in any case', { states: ['tx'] }, aLead()],
    ['whose filters hold', { filters }, aLead({ fields: someFields({ age: '40' }) })],
    ['in test mode, for a test lead', { test_mode: true }, aLead({ is_test: true })],
  ])('takes a buyer %s', (_, buyer, lead) => {
    expect(rank([aBuyer(buyer)], lead)).toMatchObject({
      candidates: [{ buyer_id: 'b1' }],
      skipped: [],
    });
  });
});
