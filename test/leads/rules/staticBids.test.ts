import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { BuyerTerms, DistributionMethod, Plan } from '../../../src/account/rules/plan.js';
import { DEFAULT_PING_SETTINGS } from '../../../src/account/rules/pingSettings.js';
import type { LeadResale } from '../../../src/leads/rules/leadResale.js';
import { planOfLead } from '../../../src/leads/rules/locks.js';
import { explainLead } from '../../../src/routing/explain/explain.js';
import { aBuyer, aPlan, aSupplier, someFields } from '../../support/builders.js';
import { decide } from '../../routing/rules/decide.js';
import { NOW, situations } from '../../routing/rules/situations.js';
import { aLead } from '../../support/storedRows.js';

const UNIT = 1_000_000;
const METHODS: DistributionMethod[] = ['WATERFALL', 'ROUND_ROBIN', 'WEIGHTED', 'HIGHEST_BID'];

const resale = (overrides: Partial<LeadResale> = {}): LeadResale => ({
  origin: 'l0',
  order_id: 'o',
  exclude: [],
  campaigns: ['c0'],
  replaces: false,
  paid: false,
  static_bids: true,
  ...overrides,
});
const buyer = (buyer_id: string, price: number, more: Partial<BuyerTerms> = {}) =>
  aBuyer({ buyer_id, name: buyer_id, price: price * UNIT, ...more });
const PING = { url: 'https://live.example/ping', timeout_ms: 500, fields: [], headers: {} };
const live = buyer('live', 0, { priority: 1, ping: PING });
const low = buyer('low', 9, { priority: 2 });
const high = buyer('high', 12, { priority: 3 });

const planWith = (plan: Partial<Plan> = {}): Plan =>
  aPlan({
    routing_method: 'PING_POST',
    buyers: [live, low, high],
    suppliers: { s1: aSupplier({ cost_mode: 'REVENUE_SHARE', revenue_share: 60 }) },
    ...plan,
  });
const made = (plan: Plan, of: Partial<LeadResale> = {}) => {
  const lead = { fields: someFields(), is_test: false, seed: 'l1', supplier_id: 's1' };
  const again = { ...lead, resale: resale(of) };
  return decide(again, planOfLead(plan, again), { now: NOW });
};
const margin = (percent: number) => ({ ...DEFAULT_PING_SETTINGS, margin: { percent } });

describe('a resold lead of a campaign that answers pings', () => {
  it.each(METHODS)(
    'goes to the best price, never to a buyer that bids live, under %s',
    (method) => {
      const { offers, passed_over, trail } = made(planWith({ distribution_method: method }));
      expect(offers).toEqual([
        { buyer_id: 'high', price: 12 * UNIT, cost: 7_200_000, profit: 4_800_000 },
      ]);
      expect(passed_over).toEqual([
        { buyer_id: 'live', reason: 'bids_live', detail: {} },
        { buyer_id: 'low', reason: 'outranked', detail: { by: ['high'] } },
      ]);
      expect(trail).toContainEqual(
        expect.objectContaining({
          step: 'routing',
          result: 'ranked',
          detail: { method: 'STATIC_BIDS', order: ['high', 'low'] },
        }),
      );
    },
  );

  it('costs what a ping would have promised, or nothing where its supplier is paid already', () => {
    const none = planWith({
      suppliers: { s1: aSupplier({ cost_mode: 'NONE' }) },
      ping: margin(25),
    });
    expect(made(none).offers).toMatchObject([{ price: 12 * UNIT, cost: 9 * UNIT }]);
    for (const plan of [none, planWith()])
      expect(made(plan, { paid: true }).offers).toMatchObject([{ buyer_id: 'high', cost: 0 }]);
  });

  it('leaves out prices that make no bid, with the values that were compared', () => {
    const suppliers = { s1: aSupplier({ cost_mode: 'NONE' }) };
    const least = { ...DEFAULT_PING_SETTINGS, min_bid: 10 * UNIT };
    const dear = buyer('dear', 30, { margin: { fixed: 31 * UNIT } });
    const plan = planWith({ buyers: [live, low, high, dear], suppliers, ping: least });
    const { offers, passed_over } = made(plan);
    expect(offers).toMatchObject([{ buyer_id: 'high' }]);
    expect(passed_over).toContainEqual({
      buyer_id: 'low',
      reason: 'below_min_bid',
      detail: { bid: 9 * UNIT, min_bid: 10 * UNIT },
    });
    expect(passed_over).toContainEqual({
      buyer_id: 'dear',
      reason: 'below_margin',
      detail: { price: 30 * UNIT, margin: { fixed: 31 * UNIT } },
    });
  });

  it('orders equal bids by priority, then by the longest wait', () => {
    const twins = ['b1', 'b2', 'b3'].map((id) => buyer(id, 12, { priority: id === 'b3' ? 1 : 2 }));
    const plan = planWith({ buyers: [...twins, low], max_sells: 3 });
    const lead = { fields: someFields(), is_test: false, seed: 'l1', supplier_id: 's1' };
    const again = { ...lead, resale: resale() };
    const turns = { seq: 2, last: { b1: 2, b2: 1 } };
    const { offers } = decide(again, planOfLead(plan, again), { now: NOW, turns });
    expect(offers.map(({ buyer_id }) => buyer_id)).toEqual(['b3', 'b2', 'b1']);
  });

  it('is decided as the earlier release did where it was stored by it', () => {
    const before = resale();
    delete before.static_bids;
    const lead = { fields: someFields(), is_test: false, seed: 'l1', supplier_id: 's1' };
    const again = { ...lead, resale: before };
    const { offers } = decide(again, planOfLead(planWith(), again), { now: NOW });
    expect(offers).toMatchObject([{ buyer_id: 'live', price: 0 }]);
  });

  it('names in words why each other buyer makes no bid', () => {
    const suppliers = { s1: aSupplier({ cost_mode: 'NONE' }) };
    const least = { ...DEFAULT_PING_SETTINGS, min_bid: 10 * UNIT };
    const dear = buyer('dear', 30, { margin: { fixed: 31 * UNIT } });
    const plan = planWith({ buyers: [live, low, high, dear], suppliers, ping: least });
    const lead = aLead({ supplier_id: 's1', resale: resale(), trail: made(plan).trail });
    const told = explainLead({ lead, plan: planOfLead(plan, lead), currency: 'USD' });
    const texts = told.steps.map(({ text }) => text).join('\n');
    expect(texts).toContain('live was passed over: it bids on pings, and nobody pinged');
    expect(texts).toContain('its price makes a bid of 9.00 USD, and bids begin at 10.00 USD');
    expect(texts).toContain('its price of 30.00 USD does not cover the margin');
    expect(texts).toContain('by the bids that their prices make');
  });

  it('has the same plan when it is applied again, and never offers below what it was asked for', () => {
    fc.assert(
      fc.property(situations, fc.boolean(), ({ lead, plan, around }, paid) => {
        const again = { ...lead, resale: resale({ paid, replaces: paid }) };
        const once = planOfLead(plan, again);
        expect(planOfLead(once, again)).toEqual(once);
        // Nobody was asked for a bid.
        const { offers } = decide(again, once, { ...around, bids: {} });
        for (const { buyer_id, price } of offers) {
          const terms = plan.buyers.find((one) => one.buyer_id === buyer_id);
          expect([terms?.ping, terms?.price]).toEqual([
            undefined,
            lead.is_test ? terms?.price : price,
          ]);
        }
      }),
    );
  });
});
