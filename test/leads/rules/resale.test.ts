import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decide } from '../../routing/rules/decide.js';
import type { Lead } from '../../../src/leads/rules/lead.js';
import { planOfLead } from '../../../src/leads/rules/locks.js';
import { applyResale, resoldLead, findResaleRefusal } from '../../../src/leads/rules/resale.js';
import type { LeadResale } from '../../../src/leads/rules/leadResale.js';
import { aLead, NOW } from '../../support/storedRows.js';
import { pinged, situations } from '../../routing/rules/situations.js';
import { aPlan, aSupplier } from '../../support/builders.js';

const resale = (overrides: Partial<LeadResale> = {}): LeadResale => ({
  origin: 'l0',
  order_id: 'o',
  exclude: [],
  campaigns: ['c1'],
  replaces: true,
  paid: true,
  ...overrides,
});
const excludes = fc.subarray(['b1', 'b2', 'b3', 'b4', 'b5']);

describe('the plan of a lead that is sold again', () => {
  it('never offers it to an earlier buyer, whatever the situation', () => {
    fc.assert(
      fc.property(fc.oneof(situations, pinged), excludes, ({ lead, plan, around }, exclude) => {
        const again = { ...lead, resale: resale({ exclude }) };
        const { offers } = decide(again, planOfLead(plan, again), around);
        expect(offers.filter(({ buyer_id }) => exclude.includes(buyer_id))).toEqual([]);
        expect(offers.length).toBeLessThanOrEqual(1);
        expect(offers.every(({ cost }) => cost === 0 || lead.ping !== undefined)).toBe(true);
      }),
    );
  });

  it('names a reason for each buyer that is left out for it', () => {
    fc.assert(
      fc.property(situations, excludes, ({ lead, plan, around }, exclude) => {
        const again = { ...lead, resale: resale({ exclude, replaces: false, paid: false }) };
        const { trail } = decide(again, planOfLead(plan, again), around);
        if (!trail.some(({ step }) => step === 'routing')) return;
        const told = trail.filter(({ reason }) => reason === 'had_it').map((one) => one.buyer_id);
        const there = plan.buyers.map(({ buyer_id }) => buyer_id);
        expect(told.toSorted()).toEqual(exclude.filter((id) => there.includes(id)).toSorted());
      }),
    );
  });

  it('is the same when it is created twice, and the plan itself without a resale', () => {
    const plan = aPlan({ max_sells: 3 });
    const lead = { supplier_id: 's1', resale: resale({ exclude: ['b1'] }) };
    const once = applyResale(plan, lead);
    expect(applyResale(once, lead)).toEqual(once);
    expect(applyResale(plan, { supplier_id: 's1' })).toBe(plan);
  });
});

describe('a lead made from another', () => {
  const origin = aLead({
    campaign_id: 'c1',
    fields: { phone: '+1' },
    extra: { x: 1 },
    keys: ['k'],
  });
  const sale = { buyer_id: 'b1', attempt: 1, price: 10, cost: 4, at: NOW };
  const returned = { at: NOW, return_id: 'r', cost_reversed: true };
  const reversed = { ...sale, returned };
  const kept = { ...sale, returned: { ...returned, cost_reversed: false } };
  const second = { ...sale, buyer_id: 'b2', attempt: 2 };
  const made = (
    from: Partial<Lead>,
    campaign_id: string,
    exclude: string[] = [],
    replaced: { returned_by?: string; owesOnce?: boolean } = {},
  ) =>
    resoldLead({
      nth: 1,
      replaced: { owesOnce: false, ...replaced },
      id: 'l2',
      order_id: 'o',
      origin: { ...origin, ...from },
      exclude,
      now: NOW,
      plan: {
        campaign_id,
        version: 3,
        routing_method: campaign_id === 'pinged' ? 'PING_POST' : 'DIRECT_POST',
      },
      body_hash: 'h',
    });

  it('has the data of its origin and nothing of its history', () => {
    const lead = made({ sales: [sale], price: 10, cost: 4, buyer_id: 'b1', ping: undefined }, 'c1');
    expect(lead).toMatchObject({
      fields: origin.fields,
      extra: origin.extra,
      keys: origin.keys,
      plan_version: 3,
      status: 'NEW',
      buyer_id: null,
      sales: [],
      price: 0,
      cost: 0,
      takes: 0,
    });
    expect(lead).not.toHaveProperty('ping');
    expect(lead).not.toHaveProperty('idempotency_id');
  });

  it('remembers every buyer that had the data, from the first lead on', () => {
    const earlier = resale({ exclude: ['b0'], campaigns: ['c0'] });
    const { resale: now } = made({ sales: [sale], resale: earlier }, 'c1', ['b2', 'b1']);
    expect(now).toMatchObject({ exclude: ['b0', 'b1', 'b2'], campaigns: ['c0', 'c1'] });
  });

  it.each([
    ['replaces a paid sale in its own campaign', { sales: [sale], cost: 4 }, 'c1', true, true],
    ['replaces one whose cost was taken back', { sales: [reversed] }, 'c1', true, false],
    ['replaces nothing where nothing was sold', {}, 'c1', false, false],
    ['replaces nothing in another campaign', { sales: [sale], cost: 4 }, 'c2', false, false],
  ])('%s', (_name, from, campaign, replaces, paid) => {
    expect(made(from, campaign).resale).toMatchObject({ replaces, paid });
  });

  it.each([
    ['its own cost was taken back, whatever the other sale costs', [reversed, second], 'b1', false],
    ['its own cost is kept', [kept, second], 'b1', true],
    ['the other one was returned, and its cost taken back', [second, reversed], 'b1', false],
  ])('of several sales with a cost each replaces one: %s', (_name, sales, returned_by, paid) => {
    expect(made({ sales }, 'c1', [], { returned_by }).resale).toMatchObject({ paid });
  });

  it('costs nothing while another sale carries the one cost of its origin', () => {
    const once = { returned_by: 'b1', owesOnce: true };
    const heir = { ...second, cost: 0, carries: 4 };
    expect(made({ sales: [reversed, heir] }, 'c1', [], once).resale).toMatchObject({ paid: true });
    const both = [reversed, { ...second, cost: 0, returned }];
    expect(made({ sales: both }, 'c1', [], once).resale).toMatchObject({ paid: false });
  });

  it('costs nothing where an earlier lead of its chain was paid for, and the money kept', () => {
    const free = { ...sale, cost: 0, returned };
    const from = { sales: [free], resale: resale({ paid: true }) };
    expect(made(from, 'c1').resale).toMatchObject({ paid: true });
  });

  it('is of the same root as its origin, and goes by prices where its campaign answers pings', () => {
    expect(made({}, 'c2').resale).toMatchObject({ root: origin._id, nth: 1 });
    const of = (more: Partial<LeadResale>) => made({ resale: resale(more) }, 'c2').resale?.root;
    expect([of({ origin: 'l0' }), of({ origin: 'l1', root: 'l0' })]).toEqual(['l0', 'l0']);
    expect(made({}, 'c2').resale?.static_bids).toBeUndefined();
    expect(made({}, 'pinged').resale).toMatchObject({ static_bids: true });
  });

  it('is refused after ten times, also within one campaign', () => {
    const plan = aPlan({ campaign_id: 'c1', name: 'Auto', suppliers: { s1: aSupplier() } });
    const times = (n: number) => ({
      ...origin,
      supplier_id: 's1',
      ...(n === 0 ? {} : { resale: resale({ campaigns: Array.from({ length: n }, () => 'c1') }) }),
    });
    expect(findResaleRefusal(times(9), plan)).toBeNull();
    expect(findResaleRefusal(times(10), plan)).toContain('10 times');
  });

  it('is refused of the lead that was taken for one of a bot', () => {
    const plan = aPlan({ campaign_id: 'c1', suppliers: { s1: aSupplier() } });
    const origin = { funnel_id: 'f', version: 1, consent_id: 'c', source: 'direct' };
    const of = (suspect?: 'honeypot') =>
      findResaleRefusal(
        aLead({
          campaign_id: 'c1',
          supplier_id: 's1',
          origin: { ...origin, ...(suspect && { suspect }) },
        }),
        plan,
      );
    expect([of(), of('honeypot')]).toEqual([null, expect.stringContaining('bot')]);
  });
});
