import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { screenLead } from '../../../src/routing/rules/screen.js';
import type { Fields } from '../../../src/fields/values.js';
import type { BuyerTerms, Plan } from '../../../src/account/rules/plan.js';
import { aBuyer, aPlan, someFields } from '../../support/builders.js';

const now = new Date('2026-11-21T12:00:00Z');
const screen = (plan: Partial<Plan>, fields: Fields = someFields(), is_test = false) =>
  screenLead({ lead: { fields, is_test, seed: 'l1' }, plan: aPlan(plan), now });
const texasOnly = {
  all: [{ id: 'tx', field: 'state', operator: 'IN' as const, value: ['TX'], reason: 'Texas only' }],
};

describe('screenLead', () => {
  it('rejects a lead that fails the inbound filters, before any buyer is checked', () => {
    const decision = screen(
      { filters: texasOnly, buyers: [aBuyer()] },
      someFields({ state: 'NV' }),
    );
    expect(decision).toEqual({
      kind: 'rejected',
      reason: 'filtered',
      filter_errors: [
        {
          filter_id: 'tx',
          field: 'state',
          operator: 'IN',
          value: ['TX'],
          actual: 'NV',
          message: 'Texas only',
        },
      ],
      trail: [
        {
          at: now,
          step: 'filters',
          result: 'failed',
          detail: { failures: [{ filter_id: 'tx', field: 'state', operator: 'IN', actual: 'NV' }] },
        },
      ],
    });
  });

  it('passes a lead with the order of its buyers and the reasons of the others', () => {
    const buyers = [
      aBuyer({ buyer_id: 'late', priority: 9 }),
      aBuyer({ buyer_id: 'off', status: 'paused' }),
      aBuyer({ buyer_id: 'far', states: ['CA'] }),
      aBuyer({ buyer_id: 'early', priority: 1 }),
    ];
    const decision = screen({ filters: texasOnly, buyers });
    expect(decision).toMatchObject({
      kind: 'pass',
      candidates: [{ buyer_id: 'early' }, { buyer_id: 'late' }],
    });
    expect(decision.trail).toEqual([
      { at: now, step: 'filters', result: 'passed' },
      {
        at: now,
        step: 'routing',
        result: 'skipped',
        buyer_id: 'off',
        reason: 'paused',
        detail: { status: 'paused' },
      },
      {
        at: now,
        step: 'routing',
        result: 'skipped',
        buyer_id: 'far',
        reason: 'state_not_served',
        detail: { state: 'TX', served: ['CA'] },
      },
      {
        at: now,
        step: 'routing',
        result: 'ranked',
        detail: { method: 'WATERFALL', order: ['early', 'late'] },
      },
    ]);
  });

  it('passes a lead without any buyer, with that result', () => {
    expect(screen({ buyers: [] })).toMatchObject({
      kind: 'pass',
      candidates: [],
      trail: [{ result: 'passed' }, { result: 'no_buyer', detail: { order: [] } }],
    });
  });

  it('filters test leads too', () => {
    expect(screen({ filters: texasOnly }, {}, true).kind).toBe('rejected');
  });
});

describe('screenLead, whatever the plan', () => {
  const states = fc.constantFrom('TX', 'CA', 'NV');
  const anyBuyer: fc.Arbitrary<Partial<BuyerTerms>> = fc.record({
    status: fc.constantFrom('active', 'paused'),
    test_mode: fc.boolean(),
    priority: fc.option(fc.integer({ min: 0, max: 3 }), { nil: null }),
    states: fc.array(states, { maxLength: 2 }),
    filters: fc.constantFrom(null, texasOnly),
  });
  const anyBuyers = fc
    .array(anyBuyer, { maxLength: 8 })
    .map((all) => all.map((terms, i) => aBuyer({ ...terms, buyer_id: `b${i}` })));
  const anyFields = fc.option(states).map((state): Fields => (state === null ? {} : { state }));

  it('makes every buyer a candidate or gives exactly one reason', () => {
    fc.assert(
      fc.property(anyBuyers, anyFields, fc.boolean(), (buyers, fields, isTest) => {
        const decision = screen({ buyers }, fields, isTest);
        if (decision.kind !== 'pass') throw new Error('a plan without filters rejects nobody');
        const taken = decision.candidates.map((buyer) => buyer.buyer_id);
        const skipped = decision.trail.filter((entry) => entry.result === 'skipped');
        const named = [...taken, ...skipped.map((entry) => entry.buyer_id)];
        expect(named.sort()).toEqual(buyers.map((buyer) => buyer.buyer_id).sort());
        for (const { reason } of skipped) expect(reason).toBeTruthy();
        for (const buyer of decision.candidates) expect(buyer.test_mode).toBe(isTest);
      }),
    );
  });

  it('decides the same way again, to the byte', () => {
    fc.assert(
      fc.property(anyBuyers, anyFields, fc.boolean(), (buyers, fields, isTest) => {
        const again = structuredClone({ buyers, fields });
        const first = JSON.stringify(screen({ buyers }, fields, isTest));
        expect(JSON.stringify(screen({ buyers: again.buyers }, again.fields, isTest))).toBe(first);
      }),
    );
  });
});
