import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decide, type Decision } from '../../routing/rules/decide.js';
import { stepText } from '../../../src/routing/explain/explainSteps.js';
import { defaultBody, payloadOf, valueOf } from '../../../src/deliveries/rules/payload.js';
import { applyLocks, pingEntries } from '../../../src/leads/rules/locks.js';
import type { LeadPing } from '../../../src/leads/rules/leadPing.js';
import type { DistributionMethod, Plan } from '../../../src/account/rules/plan.js';
import { aBuyer, aLead, aPlan, aSupplier, someFields } from '../../support/builders.js';
import { subject } from '../../routing/explain/explained.js';
import { NOW, pinged } from '../../routing/rules/situations.js';

const METHODS: DistributionMethod[] = ['WATERFALL', 'ROUND_ROBIN', 'WEIGHTED', 'HIGHEST_BID'];
const [B1, B2, B3] = [
  aBuyer({ buyer_id: 'b1', name: 'Acme', price: 1_000_000, priority: 1 }),
  aBuyer({ buyer_id: 'b2', name: 'Bolt', price: 99_000_000, priority: 2, weight: 0 }),
  aBuyer({ buyer_id: 'b3', name: 'Cap', price: 99_000_000, priority: 3 }),
];
const supplier = aSupplier({ cost_mode: 'REVENUE_SHARE', revenue_share: 90 });
const PLAN = aPlan({ buyers: [B1, B2, B3], suppliers: { s1: supplier }, max_sells: 1 });
const PING: LeadPing = {
  ping_id: 'ping-1',
  reveal_buyers: true,
  bids: [
    { buyer_id: 'b2', price: 20_000_000, bid: 15_000_000, reference: 'R-2' },
    { buyer_id: 'b1', price: 18_000_000, bid: 14_000_000 },
  ],
};
const lead = { fields: someFields(), is_test: false, seed: 'l1', supplier_id: 's1', ping: PING };
const of = (plan: Partial<Plan> = {}, ping: LeadPing = PING): Decision =>
  decide({ ...lead, ping }, { ...PLAN, ...plan }, { now: NOW });

describe('a lead that redeemed a ping', () => {
  it.each(METHODS)('goes to the best bid at the promised price, under %s', (method) => {
    const { offers, passed_over } = of({ distribution_method: method });
    expect(offers).toEqual([
      { buyer_id: 'b2', price: 20_000_000, cost: 15_000_000, profit: 5_000_000 },
    ]);
    expect(passed_over).toEqual([
      { buyer_id: 'b1', reason: 'outranked', detail: { by: ['b2'] } },
      { buyer_id: 'b3', reason: 'no_bid', detail: { ping_id: 'ping-1' } },
    ]);
  });

  it('goes only to the bidder that its supplier selected', () => {
    const { offers, passed_over } = of({ max_sells: 3 }, { ...PING, pick: 'b1' });
    expect(offers).toMatchObject([{ buyer_id: 'b1', price: 18_000_000, cost: 14_000_000 }]);
    expect(passed_over).toMatchObject([
      { buyer_id: 'b2', reason: 'not_picked', detail: { pick: 'b1' } },
      { buyer_id: 'b3', reason: 'no_bid' },
    ]);
  });

  it('goes to the next bid when the best bidder is paused or full now', () => {
    const paused = { ...B2, status: 'paused' as const };
    expect(of({ buyers: [B1, paused, B3] }).offers).toMatchObject([{ buyer_id: 'b1' }]);
    // The promised money counts, not the link's price.
    const full = { ...B2, caps: { daily_budget: 19_999_999 } };
    expect(of({ buyers: [B1, full, B3] }).offers).toMatchObject([{ buyer_id: 'b1' }]);
    const roomy = { ...B2, caps: { daily_budget: 20_000_000 } };
    expect(of({ buyers: [B1, roomy, B3] }).offers).toMatchObject([{ buyer_id: 'b2' }]);
  });

  it('costs what each bid promised when it is sold twice; a fixed cost once', () => {
    const costs = (cost_mode: 'FIXED' | 'NONE') =>
      of({ max_sells: 2, suppliers: { s1: { ...supplier, cost_mode } } }).offers.map(
        ({ cost }) => cost,
      );
    expect(costs('NONE')).toEqual([15_000_000, 14_000_000]);
    expect(costs('FIXED')).toEqual([15_000_000, 0]);
  });

  it('is capped at its supplier by what was promised', () => {
    const s1 = { ...supplier, caps: { daily_budget: 14_999_999 } };
    expect(of({ suppliers: { s1 } })).toMatchObject({ reason: 'supplier_capped' });
    expect(of({ suppliers: { s1: { ...s1, caps: { daily_budget: 15_000_000 } } } })).toMatchObject({
      status: 'ACCEPTED',
    });
  });

  it('gives the turn only to the buyer that is asked', () => {
    const turns = { seq: 9, last: { b2: 9, b1: 1 } };
    const { offers, trail } = decide(lead, PLAN, { now: NOW, turns });
    expect(offers).toMatchObject([{ buyer_id: 'b2' }]);
    expect(trail.filter(({ result }) => result === 'turn')).toEqual([]);
  });

  it('keeps its bids, whatever else has changed', () => {
    fc.assert(
      fc.property(pinged, ({ lead: one, plan, around }) => {
        const { offers } = decide(one, plan, around);
        const bids = one.ping?.bids ?? [];
        const ranks = offers.map(({ buyer_id }) => bids.findIndex((b) => b.buyer_id === buyer_id));
        expect(ranks).not.toContain(-1);
        expect(ranks).toEqual([...ranks].sort((a, b) => a - b));
        offers.forEach(({ buyer_id, price, cost }, n) => {
          const bid = bids[ranks[n] ?? -1];
          const isPaid = n > 0 && plan.suppliers.s1?.cost_mode === 'FIXED';
          const due = one.is_test ? [0, 0] : [bid?.price, isPaid ? 0 : bid?.bid];
          expect([price, cost]).toEqual(due);
          expect([undefined, buyer_id]).toContain(one.ping?.pick);
        });
      }),
    );
  });

  it('has an idempotent plan with its bids', () => {
    const once = applyLocks(PLAN, { ping: PING });
    expect(applyLocks(once, { ping: PING })).toEqual(once);
    expect(applyLocks(PLAN, {})).toBe(PLAN);
    expect(PLAN.buyers.map(({ price }) => price)).toEqual([1_000_000, 99_000_000, 99_000_000]);
  });
});

describe('a buyer', () => {
  const stored = aLead({ ping: PING });
  it('gets its own reference for its bid', () => {
    const payload = payloadOf(stored, B2);
    expect(defaultBody(payload)).toMatchObject({ ping_reference: 'R-2' });
    expect(valueOf(payload, 'ping_reference')).toBe('R-2');
  });

  it('gets no reference that it did not give, and none without a ping', () => {
    expect(defaultBody(payloadOf(stored, B1))).not.toHaveProperty('ping_reference');
    expect(Object.keys(defaultBody(payloadOf(aLead(), B2)))).not.toContain('ping_reference');
    expect(valueOf(payloadOf(aLead(), B2), 'ping_reference')).toBeUndefined();
  });
});

describe('the trail', () => {
  const texts = (ping: LeadPing) =>
    pingEntries(ping, NOW).map((entry) => stepText(entry, subject({}, PLAN)));

  it('records which ping was redeemed, and its promised bids', () => {
    expect(texts({ ...PING, pick: 'b1' })).toEqual([
      {
        known: true,
        text:
          'It redeemed ping ping-1, whose bids apply: Bolt 20.00 USD (the supplier gets 15.00 USD) and ' +
          'Acme 18.00 USD (the supplier gets 14.00 USD). The supplier picked Acme.',
      },
    ]);
  });

  it('records how the lead differs from its ping', () => {
    expect(texts({ ...PING, differs: ['state', 'zip_code'] })[1]).toEqual({
      known: true,
      text: 'It differs from its ping in state and zip_code, which the campaign allows.',
    });
  });
});
