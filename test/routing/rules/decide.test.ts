import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { emptyCapState, type CapState } from '../../../src/routing/rules/caps.js';
import { CAP_WINDOWS } from '../../../src/account/rules/capLimits.js';
import { decide, type DecisionContext, type Decision } from './decide.js';
import type { BuyerTerms, Plan } from '../../../src/account/rules/plan.js';
import type { CapLimits } from '../../../src/account/rules/capLimits.js';
import { windowKeys } from '../../../src/fields/windowKeys.js';
import { aBuyer, aPlan, aSupplier, someFields } from '../../support/builders.js';
import { NOW, opening, situations, ZONE, type Situation } from './situations.js';

const always = (rule: (one: Situation, decision: Decision) => void): void =>
  fc.assert(fc.property(situations, (one) => rule(one, decide(one.lead, one.plan, one.around))));
const ids = ({ offers }: Decision): string[] => offers.map(({ buyer_id }) => buyer_id);
const termsOf = ({ buyers }: Plan, id: string): BuyerTerms | undefined =>
  buyers.find(({ buyer_id }) => buyer_id === id);
const bidOf = ({ plan, around }: Situation, id: string): number =>
  around.bids?.[id] ?? termsOf(plan, id)?.price ?? 0;

/** The limits that would be exceeded with `leads` and `money` more. */
function overLimits(
  limits: CapLimits,
  before: CapState | undefined,
  leads: number,
  money: number,
): string[] {
  const keys = { ...windowKeys(NOW, ZONE), total: 'all' };
  const state = before ?? emptyCapState();
  return CAP_WINDOWS.flatMap(({ window, cap, budget }) => {
    const isOpen = state[window].key === keys[window];
    const count = (isOpen ? state[window].count : 0) + leads;
    const amount = (isOpen ? state[window].amount : 0) + money;
    return [
      ...(limits[cap] != null && count > limits[cap] ? [cap] : []),
      ...(limits[budget] != null && amount > limits[budget] ? [budget] : []),
    ];
  });
}

describe('every decision', () => {
  it('is the same for the same input, byte for byte', () => {
    always(({ lead, plan, around }, decision) => {
      const again = structuredClone({ lead, plan, around });
      expect(JSON.stringify(decide(again.lead, again.plan, again.around))).toBe(
        JSON.stringify(decision),
      );
    });
  });

  it('does not change its input', () => {
    fc.assert(
      fc.property(situations, ({ lead, plan, around }) => {
        const before = JSON.stringify({ lead, plan, around });
        decide(lead, plan, around);
        expect(JSON.stringify({ lead, plan, around })).toBe(before);
      }),
    );
  });

  it('offers a lead to no buyer over a cap of the buyer, the supplier or the campaign', () => {
    always((one, decision) => {
      if (one.lead.is_test || decision.offers.length === 0) return;
      const { counters = {} } = one.around;
      for (const { buyer_id, price } of decision.offers) {
        const caps = termsOf(one.plan, buyer_id)?.caps ?? {};
        expect(overLimits(caps, counters.buyers?.[buyer_id], 1, price)).toEqual([]);
      }
      const cost = decision.offers.reduce((sum, offer) => sum + offer.cost, 0);
      const revenue = decision.offers.reduce((sum, offer) => sum + offer.price, 0);
      const supplierCaps = one.plan.suppliers.s1?.caps ?? {};
      expect(overLimits(supplierCaps, counters.supplier, 1, cost)).toEqual([]);
      expect(overLimits(one.plan.caps, counters.campaign, 1, revenue)).toEqual([]);
    });
  });

  it('offers a lead to at most max_sells buyers, each once', () => {
    always(({ plan }, decision) => {
      expect(decision.offers.length).toBeLessThanOrEqual(plan.max_sells);
      expect(new Set(ids(decision)).size).toBe(decision.offers.length);
    });
  });

  it('offers nothing to a buyer that is paused, closed, out of area, in a cooldown or in the other mode', () => {
    always(({ plan, lead, around }, decision) => {
      for (const id of ids(decision)) {
        const terms = termsOf(plan, id);
        expect(terms?.status).toBe('active');
        expect(terms?.test_mode).toBe(lead.is_test);
        expect(terms?.schedule?.[0]?.days ?? ['sat']).toEqual(['sat']);
        expect([[], [lead.fields.state]]).toContainEqual(terms?.states);
        expect(Number(around.openUntil?.[id] ?? 0)).toBeLessThanOrEqual(Number(NOW));
        if (plan.distribution_method === 'WEIGHTED') expect(terms?.weight).toBeGreaterThan(0);
      }
    });
  });

  it('offers a repeat only to the buyer of its original, and a repeated request to no buyer', () => {
    always(({ lead, plan, around }, decision) => {
      if (lead.is_test || !around.original) return;
      const { buyer_id, resend } = around.original;
      const goesOn = !resend && plan.dedupe.on_duplicate === 'ROUTE_TO_ORIGINAL';
      expect([[], ...(goesOn ? [[buyer_id]] : [])]).toContainEqual(ids(decision));
    });
  });

  it('has a reason, with values, for every buyer that is not offered the lead', () => {
    always(({ plan }, decision) => {
      const others = decision.passed_over.map(({ buyer_id }) => buyer_id);
      const all = plan.buyers.map(({ buyer_id }) => buyer_id);
      expect([...ids(decision), ...others].sort()).toEqual([...all].sort());
      for (const { reason, detail } of decision.passed_over) {
        expect(reason).toMatch(/^[a-z_]+$/);
        expect(Object.values(detail).filter((value) => value !== undefined)).not.toHaveLength(0);
      }
    });
  });

  it('adds up: price = cost + profit, in whole micro-units; a test lead moves no money', () => {
    always((one, decision) => {
      decision.offers.forEach(({ buyer_id, price, cost, profit }) => {
        expect(price).toBe(cost + profit);
        expect([price, cost, profit].every(Number.isSafeInteger)).toBe(true);
        expect(price).toBe(one.lead.is_test ? 0 : bidOf(one, buyer_id));
      });
    });
  });

  it('asks the best bids first with HIGHEST_BID', () => {
    always((one, decision) => {
      if (one.plan.distribution_method !== 'HIGHEST_BID') return;
      const bids = ids(decision).map((id) => bidOf(one, id));
      expect(bids).toEqual([...bids].sort((a, b) => b - a));
    });
  });

  it('returns the state of the lead: sold, waiting for a named buyer, or neither', () => {
    always((_one, { status, offers, waits_for }) => {
      if (status === 'ACCEPTED') expect(offers).not.toHaveLength(0);
      else expect(offers).toHaveLength(0);
      if (status === 'PENDING') expect(waits_for).toBeDefined();
    });
  });
});

describe('a decision', () => {
  const lead = { fields: someFields(), is_test: false, seed: 'l1', supplier_id: 's1' };
  const of = (plan: Partial<Plan>, around: Partial<DecisionContext> = {}) =>
    decide(lead, aPlan({ suppliers: { s1: aSupplier() }, ...plan }), { now: NOW, ...around });
  const [a, b, c] = ['a', 'b', 'c'].map((buyer_id) => aBuyer({ buyer_id, price: 10 }));
  const three = [a, b, c].flatMap((terms) => (terms ? [terms] : []));
  const used = (count: number): CapState => ({
    ...emptyCapState(),
    day: { key: '2026-11-21', count, amount: 0 },
  });

  it('names the full cap, with the values counted, requested and allowed', () => {
    const buyers = [aBuyer({ buyer_id: 'a', caps: { daily_cap: 5, total_budget: null } })];
    expect(of({ buyers }, { counters: { buyers: { a: used(5) } } })).toMatchObject({
      status: 'UNMATCHED',
      reason: 'no_buyer',
      offers: [],
      passed_over: [
        {
          buyer_id: 'a',
          reason: 'buyer_cap',
          detail: {
            limit: 'daily_cap',
            allowed: 5,
            counted: 5,
            asks: 1,
            windows: { day: { count: 5, amount: 0 } },
          },
        },
      ],
    });
  });

  it("ignores yesterday's counts", () => {
    const buyers = [aBuyer({ buyer_id: 'a', caps: { daily_cap: 5 } })];
    const yesterday = { ...used(5), day: { key: '2026-11-20', count: 5, amount: 0 } };
    expect(ids(of({ buyers }, { counters: { buyers: { a: yesterday } } }))).toEqual(['a']);
  });

  it('ends at a full supplier cap, and gives every buyer that reason', () => {
    const suppliers = { s1: aSupplier({ caps: { daily_cap: 1 } }) };
    const decision = of({ suppliers, buyers: three }, { counters: { supplier: used(1) } });
    expect(decision).toMatchObject({ status: 'REJECTED', reason: 'supplier_capped' });
    expect(decision.passed_over.map(({ reason }) => reason)).toEqual(
      Array.from({ length: 3 }, () => 'supplier_cap'),
    );
  });

  it('counts a lead that is sold twice once for its campaign, and its money twice', () => {
    const caps = { daily_cap: 1, total_budget: 20 };
    expect(ids(of({ max_sells: 2, caps, buyers: three }))).toEqual(['a', 'b']);
    expect(ids(of({ max_sells: 2, caps: { total_budget: 19 }, buyers: three }))).toEqual(['a']);
  });

  it('gives a reason for each buyer behind one that the lead waits for', () => {
    const until = new Date(Number(NOW) + 5_000);
    const buyers = [aBuyer({ buyer_id: 'w', priority: 1, when_unavailable: 'WAIT' }), ...three];
    expect(of({ buyers }, { openUntil: { w: until } })).toMatchObject({
      status: 'PENDING',
      waits_for: 'w',
      passed_over: [
        { buyer_id: 'w', reason: 'breaker_open', detail: { until } },
        { buyer_id: 'a', reason: 'behind', detail: { buyer_id: 'w' } },
        { buyer_id: 'b' },
        { buyer_id: 'c' },
      ],
    });
  });

  it.each([
    ['in a cooldown', { when_unavailable: 'WAIT' as const }],
    ['closed', { when_closed: 'HOLD' as const, schedule: opening('mon') }],
  ])('offers the lead to the buyers behind one that is %s and full', (_, terms) => {
    const full = aBuyer({ buyer_id: 'w', priority: 1, caps: { daily_cap: 5 }, ...terms });
    const openUntil = { w: new Date(Number(NOW) + 5_000) };
    const decision = of(
      { time_zone: ZONE, buyers: [full, ...three] },
      { openUntil, counters: { buyers: { w: used(5) } } },
    );
    expect(ids(decision)).toEqual(['a']);
    expect(decision.trail.flatMap(({ step, reason }) => (step === 'caps' ? [reason] : []))).toEqual(
      ['buyer_cap'],
    );
  });

  it('gives the turn to the buyer that has waited longest, and records why', () => {
    const turns = { seq: 7, last: { a: 7, b: 5, c: 6 } };
    const plan = { distribution_method: 'ROUND_ROBIN' as const, max_sells: 2, buyers: three };
    const decision = of(plan, { turns });
    expect(ids(decision)).toEqual(['b', 'c']);
    expect(decision.trail.filter(({ result }) => result === 'turn')).toMatchObject([
      { buyer_id: 'b', detail: { last: { a: 7, b: 5, c: 6 } } },
      { buyer_id: 'c', detail: { last: { a: 7, c: 6 } } },
    ]);
    expect(decision.passed_over).toEqual([
      { buyer_id: 'a', reason: 'outranked', detail: { by: ['b', 'c'] } },
    ]);
  });

  it('ends at a filter before any buyer is checked, and gives each that reason', () => {
    const filters = { all: [{ id: 'nv', field: 'state', operator: '==' as const, value: 'NV' }] };
    expect(of({ filters, buyers: three })).toMatchObject({
      status: 'REJECTED',
      reason: 'filtered',
      filter_errors: [{ filter_id: 'nv' }],
      passed_over: three.map(({ buyer_id }) => ({
        buyer_id,
        reason: 'not_reached',
        detail: { step: 'filters', result: 'failed' },
      })),
    });
  });

  it('refuses a supplier that its plan does not have', () => {
    expect(() => of({ suppliers: {} })).toThrow('Plan c1:1 has no supplier s1');
  });

  it('shares leads by weight within three standard deviations over 10,000 seeds', () => {
    const weights = { a: 50, b: 30, c: 20 };
    const buyers = three.map((terms) => ({
      ...terms,
      weight: weights[terms.buyer_id as keyof typeof weights],
    }));
    const plan = aPlan({
      distribution_method: 'WEIGHTED',
      buyers,
      suppliers: { s1: aSupplier() },
    });
    const won = { a: 0, b: 0, c: 0 };
    for (let n = 0; n < 10_000; n++) {
      const [first] = ids(decide({ ...lead, seed: `lead-${n}` }, plan, { now: NOW }));
      won[first as keyof typeof won] += 1;
    }
    for (const [id, weight] of Object.entries(weights)) {
      const deviation = Math.sqrt(10_000 * (weight / 100) * (1 - weight / 100));
      const off = Math.abs(won[id as keyof typeof won] - weight * 100);
      expect(off).toBeLessThan(3 * deviation);
    }
  });
});
