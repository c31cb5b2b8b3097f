import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getCapsLeft } from '../../../../src/api/partner/supplier/caps.js';
import { getPayout } from '../../../../src/api/partner/supplier/payout.js';
import { getPingStats } from '../../../../src/api/partner/supplier/pingStats.js';
import { fromMicros } from '../../../../src/fields/money.js';
import { rollUp } from '../../../../src/reports/rollUp.js';
import { windowKeys } from '../../../../src/fields/windowKeys.js';
import { windowsNow } from '../../../support/org.js';
import { startTestbed, type Market, type Testbed } from '../../../support/testbed.js';
import { aPerson } from '../../../support/supplier.js';
import { pingFor, pingMarket } from '../../../pings/pingMarket.js';
import { codeOf, openSupplier, type SupplierPortal } from './scene.js';

let testbed: Testbed;
beforeAll(async () => {
  testbed = await startTestbed();
});
afterAll(() => testbed.stop());

describe('the payout of a supplier', () => {
  let market: Market;
  let portal: SupplierPortal;
  let today: string;
  beforeAll(async () => {
    market = await testbed.market({
      suppliers: 2,
      buyers: { only: { price: 77, states: ['CA'] } },
      supplier: { cost_mode: 'REVENUE_SHARE', revenue_share: 33 },
    });
    portal = await openSupplier(testbed, market);
    const person = aPerson();
    await market.post(person);
    await market.post({ ...person, last_name: 'Again' });
    await market.post();
    await market.post({ state: 'NV' });
    await market.post({ test_lead: true });
    await market.post({}, { supplier: 1 });
    today = windowsNow().day;
  });

  it('is the sum of the costs of its stored leads, by day and campaign, without test leads', async () => {
    const told = await portal.data(getPayout, 'get_payout');
    const stored = (await market.leads()).filter(
      ({ supplier_id, is_test }) => supplier_id === portal.supplier_id && !is_test,
    );
    const payout = fromMicros(stored.reduce((sum, { cost }) => sum + cost, 0));
    expect(payout).toBe(50.82);
    const sums = { posts: 4, sold: 2, duplicates: 1, rejected: 0, returned: 0, payout };
    const campaign = { id: market.account.campaignId, name: 'Campaign' };
    expect(told.totals).toEqual(sums);
    expect(told.days).toHaveLength(30);
    expect(told.days.at(-1)).toEqual({ day: today, ...sums });
    expect(told.days[0]).toMatchObject({ posts: 0, payout: 0 });
    expect(told.campaigns).toEqual([{ campaign, ...sums }]);
    expect(told.rows).toEqual([{ day: today, campaign, ...sums }]);
    expect(JSON.stringify(told)).not.toMatch(/revenue|profit|margin|price/);
  });

  it('pays for leads that were sold again, and counts them as no post of the supplier', async () => {
    const own = await testbed.market({
      timeZone: 'America/New_York',
      campaign: { max_sells: 1 },
      buyers: { first: {}, second: {} },
      supplier: { cost_mode: 'REVENUE_SHARE', revenue_share: 50 },
    });
    const of = await openSupplier(testbed, own);
    const { id } = await own.post();
    const at = new Date();
    await testbed.collections.leads.updateOne({ _id: id }, [
      {
        $set: {
          'sales.returned': { at, return_id: 'r', cost_reversed: true },
          'sales.revenue': 0,
          price: 0,
          cost: 0,
          uncounted: true,
          changes: { $add: ['$changes', 1] },
        },
      },
    ]);
    const { redistribute } = testbed.service.deps;
    const lead = await testbed.lead(id);
    const { campaignId: campaign_id } = own.account;
    const sums = { posts: 1, sold: 1, duplicates: 0, rejected: 0, returned: 1 };
    expect((await of.data(getPayout, 'get_payout')).totals).toEqual({ ...sums, payout: 0 });
    const again = await redistribute({ id: 'again', lead, campaign_id });
    await testbed.becomes('lead_id' in again ? again.lead_id : '', 'ACCEPTED');
    const told = await of.data(getPayout, 'get_payout');
    expect(told.totals).toEqual({ ...sums, payout: 5 });
    await rollUp(testbed.service.deps, { withinMs: 5_000 });
    expect(await of.data(getPayout, 'get_payout')).toEqual(told);
  });

  it('is lower once a sale is returned and its cost reversed', async () => {
    const [sold] = (await market.leads()).filter(({ cost }) => cost > 0);
    const at = new Date();
    await testbed.collections.leads.updateOne({ _id: sold?._id ?? '' }, [
      {
        $set: {
          'sales.returned': { at, return_id: 'r', cost_reversed: true },
          cost: 0,
          uncounted: true,
          changes: { $add: ['$changes', 1] },
        },
      },
    ]);
    const { totals } = await portal.data(getPayout, 'get_payout', { from: today, to: today });
    const left = sold?.supplier_id === portal.supplier_id ? 25.41 : 50.82;
    expect(totals.payout).toBe(left);
  });

  it('covers at most 92 days, only of its own campaigns', async () => {
    const campaign_id = market.account.campaignId;
    const asked = (input: object) => portal.call('get_payout', input);
    expect((await asked({ campaign_id })).status).toBe(200);
    expect(codeOf(await asked({ from: '2026-01-01', to: '2026-12-31' }))).toEqual([
      422,
      'invalid_input',
    ]);
    expect(codeOf(await asked({ from: '2026-02-01', to: '2026-01-01' }))).toEqual([
      422,
      'invalid_input',
    ]);
    const other = (await testbed.market()).account.campaignId;
    expect(codeOf(await asked({ campaign_id: other }))).toEqual([404, 'not_found']);
  });

  it('can be downloaded where the operator allows it', async () => {
    const { status, text } = await portal.file('payout.csv');
    expect(status).toBe(200);
    const [head, row, ...more] = text.trim().split('\r\n');
    expect(head).toContain('day,campaign,campaign_id,posts,sold');
    expect(row).toContain(`${today},Campaign,${market.account.campaignId},4,2,1,0,`);
    expect(more).toEqual([]);
    await portal.allow({ exports: false });
    expect((await portal.file('payout.csv')).status).toBe(403);
    await portal.allow({});
  });
});

describe('the pings of a supplier', () => {
  it('are counted, with the redeemed ones and the average bid', async () => {
    const market = await pingMarket(testbed);
    const portal = await openSupplier(testbed, market);
    const counted = { uncounted: true as const, changes: 1 };
    const { token } = await pingFor(testbed, market, counted);
    await pingFor(testbed, market, { ...counted, bidders: { next: { price: 10, bid: 6 } } });
    await pingFor(testbed, market, { ...counted, state: 'refused', bidders: {} });
    await market.post({ flo_ping_id: token, state: 'CA' });
    const told = await portal.data(getPingStats, 'get_ping_stats');
    const sums = { pings: 3, answered: 2, redeemed: 1, win_rate: 0.5, average_bid: 10.5 };
    expect(told.totals).toEqual(sums);
    expect(told.days.at(-1)).toMatchObject(sums);
    expect(told.campaigns).toEqual([
      { campaign: { id: market.account.campaignId, name: 'Campaign' }, ...sums },
    ]);
  });
});

describe('the remaining caps of a supplier', () => {
  it('are the uncounted rest, with the start of each next window', async () => {
    const market = await testbed.market({
      timeZone: 'America/New_York',
      supplier: {
        cost_per_lead: 4,
        caps: { daily_cap: 5, monthly_budget: 100, total_cap: 1_000 },
        daily_ping_cap: 9,
      },
    });
    const portal = await openSupplier(testbed, market);
    await market.post();
    await market.post();
    const [{ campaign, caps } = { campaign: null, caps: [] }] = await portal.data(
      getCapsLeft,
      'get_caps_left',
    );
    expect(campaign).toEqual({ id: market.account.campaignId, name: 'Campaign' });
    expect(
      caps.map(({ window, of, limit, used, left }) => [window, of, limit, used, left]),
    ).toEqual([
      ['day', 'count', 5, 2, 3],
      ['month', 'budget', 100, 8, 92],
      ['total', 'count', 1_000, 2, 998],
      ['day', 'pings', 9, 0, 9],
    ]);
    const [day, month, total] = caps;
    expect(total?.resets_at).toBeNull();
    const zone = 'America/New_York';
    for (const { resets_at, window } of [day, month].flatMap((one) => one ?? [])) {
      const at = new Date(resets_at ?? '');
      const before = windowKeys(new Date(Number(at) - 1_000), zone);
      expect(before[window === 'day' ? 'day' : 'month']).toBe(
        windowKeys(new Date(), zone)[window === 'day' ? 'day' : 'month'],
      );
      expect(windowKeys(at, zone).day).not.toBe(before.day);
    }
  });
});
