import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PingDoc } from '../../../src/pings/store/pingDocs.js';
import { aPing } from '../../support/pingBuilders.js';
import { setUp, startActionsApi, type ActionsApi, type Org } from '../../support/api.js';

interface Figures {
  pings: number;
  accepted: number;
  redeemed: number;
  win_rate: number;
  average_bid: number;
}
interface Breakdown {
  breakdown: { label: string; id: string | null; count: number; pings?: Figures }[];
  lines: number;
}

describe('pings in reports', () => {
  let api: ActionsApi;
  let org: Org;
  let ids: Record<'campaign' | 'buyer' | 'supplier' | 'second' | 'quiet', string>;

  const DAY = { date_from: '2026-03-09', date_to: '2026-03-09' };
  const NONE: Figures = { pings: 0, accepted: 0, redeemed: 0, win_rate: 0, average_bid: 0 };
  const bid = (buyer_id: string, amount: number): PingDoc['bids'][number] => ({
    buyer_id,
    price: amount * 1e6,
    net: amount * 1e6,
    bid: amount * 1e6,
    source: 'static',
  });
  const stored = (...pings: Partial<PingDoc>[]) =>
    api.collections.pings.insertMany(
      pings.map((ping) =>
        aPing({
          org_id: org.id,
          campaign_id: ids.campaign,
          supplier_id: ids.supplier,
          created_at: new Date('2026-03-09T12:00:00Z'),
          uncounted: true,
          ...ping,
        }),
      ),
    );
  const refused = { state: 'refused', reason: 'no_buyer', bids: [] } as const;

  beforeAll(async () => {
    api = await startActionsApi();
    org = await api.org();
    const { campaign, buyer, supplier } = await setUp(api, org);
    const made = async (action: 'create_buyer' | 'create_supplier', name: string) =>
      (await api.done<{ id: string }>(org, action, { name })).id;
    ids = {
      campaign: campaign.id,
      buyer: buyer.id,
      supplier: supplier.id,
      second: await made('create_buyer', 'Zenith'),
      quiet: await made('create_supplier', 'Quiet'),
    };
    await stored(
      { bids: [bid(ids.buyer, 12.5), bid(ids.second, 9)], state: 'redeemed', changes: 1 },
      { bids: [bid(ids.second, 10)] },
      // The last instant of the day, in the account's time zone.
      {
        bids: [bid(ids.buyer, 8.1234)],
        state: 'expired',
        supplier_id: ids.quiet,
        created_at: new Date('2026-03-10T03:59:59.999Z'),
      },
      { ...refused, bids: [] },
      { bids: [bid(ids.buyer, 99)], is_test: true },
      { created_at: new Date('2026-03-10T04:00:00Z') },
      { org_id: 'another', campaign_id: 'another' },
    );
  });
  afterAll(() => api.stop());

  it('are counted, with the redeemed ones and the bids', async () => {
    const stats = await api.done<{ pings: Figures }>(org, 'get_lead_stats', DAY);
    expect(stats).toMatchObject({
      total_leads: 0,
      uncounted: 0,
      pings: { pings: 4, accepted: 3, redeemed: 1, win_rate: 33.33, average_bid: 10.2078 },
    });
    const { campaign } = await api.done<{ campaign: { pings: Figures } }>(
      org,
      'get_campaign_performance',
      { campaign_id: ids.campaign, ...DAY },
    );
    expect(campaign.pings).toEqual(stats.pings);
  });

  it('are zeros on days without any', async () => {
    const empty = { date_from: '2025-01-01', date_to: '2025-01-02' };
    expect(await api.done(org, 'get_lead_stats', empty)).toMatchObject({ pings: NONE });
  });

  it('are those of one supplier, of one buyer, and of both', async () => {
    const of = async (more: object) =>
      (await api.done<{ pings: Figures }>(org, 'get_lead_stats', { ...DAY, ...more })).pings;
    expect(await of({ supplier_id: ids.quiet })).toEqual({
      pings: 1,
      accepted: 1,
      redeemed: 0,
      win_rate: 0,
      average_bid: 8.1234,
    });
    expect(await of({ buyer_id: ids.second })).toEqual({
      pings: 2,
      accepted: 2,
      redeemed: 1,
      win_rate: 50,
      average_bid: 9.5,
    });
    expect(await of({ buyer_id: ids.buyer, supplier_id: ids.supplier })).toEqual({
      pings: 1,
      accepted: 1,
      redeemed: 1,
      win_rate: 100,
      average_bid: 12.5,
    });
  });

  it('are broken down by supplier, buyer and campaign, also of those without a lead', async () => {
    const by = async (group_by: string) => {
      const wanted = { ...DAY, group_by };
      const { breakdown } = await api.done<Breakdown>(org, 'get_lead_breakdown', wanted);
      return Object.fromEntries(
        breakdown.map(({ label, count, pings }) => [label, [count, pings]]),
      );
    };
    expect(await by('supplier')).toEqual({
      Search: [0, { pings: 3, accepted: 2, redeemed: 1, win_rate: 50, average_bid: 11.25 }],
      Quiet: [0, { pings: 1, accepted: 1, redeemed: 0, win_rate: 0, average_bid: 8.1234 }],
    });
    expect(await by('buyer')).toMatchObject({
      Acme: [0, { pings: 2, redeemed: 1, average_bid: 10.3117 }],
      Zenith: [0, { pings: 2, redeemed: 1, average_bid: 9.5 }],
    });
    expect(await by('campaign')).toMatchObject({ Auto: [0, { pings: 4, accepted: 3 }] });
    expect(await by('state')).toEqual({});
  });

  it('include a redeemed ping at once', async () => {
    const today = async () => (await api.done<{ pings: Figures }>(org, 'get_lead_stats')).pings;
    await stored({ _id: 'fresh', created_at: new Date() });
    expect(await today()).toMatchObject({ pings: 1, redeemed: 0 });
    await api.collections.pings.updateOne(
      { _id: 'fresh', state: 'open' },
      { $set: { state: 'redeemed', uncounted: true }, $inc: { changes: 1 } },
    );
    expect(await today()).toMatchObject({ pings: 1, redeemed: 1, win_rate: 100 });
  });

  it('are limited to their organization', async () => {
    const other = await api.org();
    expect(await api.done(other, 'get_lead_stats', DAY)).toMatchObject({ pings: NONE });
  });
});
