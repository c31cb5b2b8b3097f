import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Lead } from '../../../../src/leads/rules/lead.js';
import { createLeadStore } from '../../../../src/leads/store/leads.js';
import { aLead } from '../../../support/storedRows.js';
import { setUp, startActionsApi, type ActionsApi, type Org } from '../../../support/api.js';

interface Stats extends Record<string, unknown> {
  days: { date: string; total_leads: number }[];
}
interface Breakdown {
  breakdown: { label: string; id: string | null; count: number; revenue: number }[];
  lines: number;
}

describe('reports', () => {
  let api: ActionsApi;
  let org: Org;
  let ids: Record<'campaign' | 'buyer' | 'supplier', string>;
  let second: string;

  const DAY = { date_from: '2026-03-01', date_to: '2026-03-31' };
  const sale = (buyer_id: string, price: number, cost: number) => ({
    buyer_id,
    attempt: 1,
    price: price * 1e6,
    cost: cost * 1e6,
    at: new Date('2026-03-09T12:00:00Z'),
  });
  /** A finished lead, not counted yet. */
  const lead = (more: Partial<Lead>): Lead =>
    aLead({
      org_id: org.id,
      campaign_id: ids.campaign,
      supplier_id: ids.supplier,
      created_at: new Date('2026-03-09T12:00:00Z'),
      fields: { state: 'CA' },
      status: 'UNMATCHED',
      changes: 1,
      uncounted: true,
      ...more,
    });
  const stored = (...leads: Partial<Lead>[]) =>
    api.collections.leads.insertMany(leads.map((one) => lead(one)));

  beforeAll(async () => {
    api = await startActionsApi();
    org = await api.org();
    const { campaign, buyer, supplier } = await setUp(api, org);
    ids = { campaign: campaign.id, buyer: buyer.id, supplier: supplier.id };
    second = (await api.done<{ id: string }>(org, 'create_buyer', { name: 'Zenith' })).id;
    const acme = sale(ids.buyer, 25.5, 12);
    await stored(
      { status: 'ACCEPTED', sales: [acme] },
      { status: 'SELLING', sales: [acme, sale(second, 10.25, 0)], fields: { state: 'TX' } },
      { status: 'DUPLICATE', fields: {} },
      { status: 'ACCEPTED', sales: [sale(ids.buyer, 99, 1)], is_test: true },
      // The day on which New York switches to daylight saving time begins at 05:00 and ends at 04:00 UTC.
      { created_at: new Date('2026-03-08T04:59:59.999Z') },
      { created_at: new Date('2026-03-08T05:00:00Z') },
      { created_at: new Date('2026-03-09T03:59:59.999Z') },
      { created_at: new Date('2026-04-01T03:59:59Z') },
      { created_at: new Date('2026-04-01T04:00:00Z') },
    );
  });
  afterAll(() => api.stop());

  it("count the leads of the days, both included, in the account's time zone, without test leads", async () => {
    const stats = await api.done<Stats>(org, 'get_lead_stats', DAY);
    expect(stats).toMatchObject({
      ...DAY,
      total_leads: 7,
      accepted: 2,
      duplicate: 1,
      unmatched: 4,
      sales: 3,
      pending: 0,
      revenue: 61.25,
      cost: 24,
      profit: 37.25,
      margin_pct: 60.82,
      uncounted: 0,
    });
    expect(stats.days).toHaveLength(31);
    const byDay = new Map(stats.days.map(({ date, total_leads }) => [date, total_leads]));
    expect([7, 8, 9, 31].map((n) => byDay.get(`2026-03-${String(n).padStart(2, '0')}`))).toEqual([
      1, 2, 3, 1,
    ]);
  });

  it('return zeros and empty lists for days without a lead', async () => {
    const empty = { dateFrom: '2025-01-01', dateTo: '2025-01-02' };
    const none = { total_leads: 0, accepted: 0, revenue: 0, cost: 0, profit: 0 };
    expect(await api.done(org, 'get_lead_stats', empty)).toMatchObject({
      ...none,
      margin_pct: 0,
      days: [
        { date: '2025-01-01', ...none },
        { date: '2025-01-02', ...none },
      ],
    });
    const wanted = { ...empty, group_by: 'state' };
    expect(await api.done(org, 'get_lead_breakdown', wanted)).toMatchObject({
      breakdown: [],
      lines: 0,
    });
  });

  it('are broken down by buyer, with what each bought and without unsold leads', async () => {
    const { breakdown } = await api.done<Breakdown>(org, 'get_lead_breakdown', {
      ...DAY,
      group_by: 'BUYER',
    });
    const pings = { pings: 0, accepted: 0, redeemed: 0, win_rate: 0, average_bid: 0 };
    expect(breakdown).toEqual([
      {
        label: 'Acme',
        id: ids.buyer,
        count: 2,
        accepted: 2,
        revenue: 51,
        cost: 24,
        profit: 27,
        rejected: 0,
        margin_pct: 52.94,
        acceptance_pct: 100,
        pings,
      },
      {
        label: 'Zenith',
        id: second,
        count: 1,
        accepted: 1,
        revenue: 10.25,
        cost: 0,
        profit: 10.25,
        rejected: 0,
        margin_pct: 100,
        acceptance_pct: 100,
        pings,
      },
    ]);
  });

  it('are broken down by supplier, campaign, state and status', async () => {
    const by = async (group_by: string) =>
      (await api.done<Breakdown>(org, 'get_lead_breakdown', { ...DAY, group_by })).breakdown.map(
        ({ label, count, revenue }) => [label, count, revenue],
      );
    expect(await by('supplier')).toEqual([['Search', 7, 61.25]]);
    expect(await by('campaign')).toEqual([['Auto', 7, 61.25]]);
    expect(await by('state')).toEqual([
      ['CA', 5, 25.5],
      ['unknown', 1, 0],
      ['TX', 1, 35.75],
    ]);
    expect(await by('status')).toEqual([
      ['UNMATCHED', 4, 0],
      ['ACCEPTED', 2, 61.25],
      ['DUPLICATE', 1, 0],
    ]);
  });

  it('can be limited to a buyer, a supplier, a campaign, or a combination', async () => {
    const of = async (more: object) => {
      const { total_leads, revenue } = await api.done<Stats>(org, 'get_lead_stats', {
        ...DAY,
        ...more,
      });
      return [total_leads, revenue];
    };
    const { campaign: campaign_id, buyer: buyer_id, supplier: supplier_id } = ids;
    expect(await of({ buyer_id })).toEqual([2, 51]);
    expect(await of({ buyer_id: second, supplier_id })).toEqual([1, 10.25]);
    expect(await of({ supplier_id, campaign_id })).toEqual([7, 61.25]);
    const { breakdown } = await api.done<Breakdown>(org, 'get_lead_breakdown', {
      ...DAY,
      supplier_id,
      campaign_id,
      group_by: 'state',
    });
    expect(breakdown.map(({ label, count }) => [label, count])).toEqual([
      ['CA', 5],
      ['unknown', 1],
      ['TX', 1],
    ]);
  });

  it('show the performance of a campaign', async () => {
    const { campaign } = await api.done<{ campaign: unknown }>(org, 'get_campaign_performance', {
      campaign_id: ids.campaign,
      ...DAY,
    });
    expect(campaign).toMatchObject({
      id: ids.campaign,
      name: 'Auto',
      total_leads: 7,
      accepted: 2,
      converted: 0,
      revenue: 61.25,
      cost: 24,
      profit: 37.25,
      margin_pct: 60.82,
    });
  });

  it('include a lead as soon as it is decided', async () => {
    const leads = createLeadStore(api.collections.leads);
    const fresh = lead({ status: 'NEW', run: 'run', created_at: new Date() });
    delete fresh.uncounted;
    await leads.insert([fresh]);
    const today = async () => {
      const { total_leads, rejected } = await api.done<Stats>(org, 'get_lead_stats');
      return [total_leads, rejected];
    };
    expect(await today()).toEqual([0, 0]);
    const rejected = { leadId: fresh._id, status: 'REJECTED' as const, trail: [] };
    await leads.decide('run', [rejected], new Date());
    expect(await today()).toEqual([1, 1]);
  });

  it("include only the organization's own leads", async () => {
    const other = await api.org();
    expect(await api.done(other, 'get_lead_stats', DAY)).toMatchObject({ total_leads: 0 });
    const asked = await api.call(await other.sharedKey(), 'get_lead_stats', {
      buyer_id: ids.buyer,
    });
    expect(asked.status).toBe(400);
  });

  it.each([
    [
      { date_from: '2026-03-02', date_to: '2026-03-01' },
      'date_from must not be after date_to (2026-03-01).',
    ],
    [
      { date_from: '2001-01-01', date_to: '2026-03-01' },
      'date_from must be at most 3660 days before date_to.',
    ],
    [{ date_from: '2026-02-30' }, 'date_from must be a date such as 2026-01-31.'],
  ])('refuse %o', async (input, message) => {
    const { status, json } = await api.call(await org.sharedKey(), 'get_lead_stats', input);
    expect(status).toBe(422);
    expect(json?.details).toMatchObject([{ path: 'date_from', message }]);
  });
});
