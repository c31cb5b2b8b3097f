/** Leads by two dimensions and by time, beside other days, and as a file. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Lead } from '../../../../src/leads/rules/lead.js';
import { aLead } from '../../../support/storedRows.js';
import { setUp, startActionsApi, type ActionsApi, type Org } from '../../../support/api.js';

interface Line {
  label: string;
  then?: { label: string };
  count: number;
  revenue: number;
  before?: { count: number; revenue: number } | null;
}
interface Answer {
  breakdown: Line[];
  lines: number;
  total: { count: number; accepted: number; acceptance_pct: number };
  total_before?: { count: number };
  compared?: { date_from: string; date_to: string };
}

/** Monday to Sunday, in New York. */
const WEEK = { date_from: '2026-03-16', date_to: '2026-03-22' };

describe('a breakdown', () => {
  let api: ActionsApi;
  let org: Org;
  let buyer: string;
  beforeAll(async () => {
    api = await startActionsApi();
    org = await api.org();
    const made = await setUp(api, org);
    buyer = made.buyer.id;
    const at = (time: string, more: Partial<Lead> = {}) =>
      aLead({
        org_id: org.id,
        campaign_id: made.campaign.id,
        supplier_id: made.supplier.id,
        created_at: new Date(time),
        fields: { state: 'CA' },
        status: 'UNMATCHED',
        changes: 1,
        uncounted: true,
        ...more,
      });
    const sold = (time: string, more: Partial<Lead> = {}) =>
      at(time, {
        status: 'ACCEPTED',
        sales: [
          { buyer_id: buyer, attempt: 1, price: 20_000_000, cost: 5_000_000, at: new Date(time) },
        ],
        ...more,
      });
    await api.collections.leads.insertMany([
      // New York is four hours behind UTC: 09:30 on Monday, 23:59 on Tuesday, 00:00 on Wednesday.
      sold('2026-03-16T13:30:00Z'),
      at('2026-03-18T03:59:59Z', { supplier_id: 'other', status: 'REJECTED' }),
      at('2026-03-18T04:00:00Z', { fields: { state: 'TX' } }),
      // The week before: 09:00 on Monday, twice.
      sold('2026-03-09T13:00:00Z'),
      at('2026-03-09T13:00:00Z'),
    ]);
  });
  afterAll(() => api.stop());

  const ask = (more: object): Promise<Answer> =>
    api.done<Answer>(org, 'get_lead_breakdown', { ...WEEK, ...more });
  const short = ({ breakdown }: Answer) =>
    breakdown.map(({ label, then, count }) => [label, then?.label, count]);

  it('has times in their order, by the clock of the account', async () => {
    expect(short(await ask({ group_by: 'hour' }))).toEqual([
      ['00', undefined, 1],
      ['09', undefined, 1],
      ['23', undefined, 1],
    ]);
    expect(short(await ask({ group_by: 'weekday', then_by: 'hour' }))).toEqual([
      ['mon', '09', 1],
      ['tue', '23', 1],
      ['wed', '00', 1],
    ]);
    expect(short(await ask({ group_by: 'day', then_by: 'status' }))).toEqual([
      ['2026-03-16', 'ACCEPTED', 1],
      ['2026-03-17', 'REJECTED', 1],
      ['2026-03-18', 'UNMATCHED', 1],
    ]);
  });

  it('is by two dimensions, those of most leads first', async () => {
    const two = await ask({ group_by: 'supplier', then_by: 'state' });
    expect(short(two)).toEqual([
      ['Search', 'CA', 1],
      ['Search', 'TX', 1],
      ['other', 'CA', 1],
    ]);
    expect(short(await ask({ group_by: 'buyer', then_by: 'supplier' }))).toEqual([
      ['Acme', 'Search', 1],
    ]);
    expect(two.total).toEqual({
      count: 3,
      accepted: 1,
      rejected: 1,
      revenue: 20,
      cost: 5,
      profit: 15,
      margin_pct: 75,
      acceptance_pct: 33.3,
    });
  });

  it.each(['previous_period', 'last_week'])('is beside other days: %s', async (compare) => {
    const both = await ask({ group_by: 'day', compare });
    expect(both.compared).toEqual({ date_from: '2026-03-09', date_to: '2026-03-15' });
    expect(both.total_before).toMatchObject({ count: 2 });
    expect(both.breakdown.map(({ label, before }) => [label, before?.count])).toEqual([
      ['2026-03-16', 2],
      ['2026-03-17', undefined],
      ['2026-03-18', undefined],
    ]);
    expect(both.breakdown[1]?.before).toBeNull();
    const hours = await ask({ group_by: 'hour', compare, date_from: '2026-03-16' });
    expect(hours.breakdown.find(({ label }) => label === '09')?.before).toMatchObject({
      count: 2,
      revenue: 20,
    });
  });

  it('keeps a group that had leads in the compared days alone', async () => {
    const { breakdown } = await ask({
      group_by: 'status',
      compare: 'previous_period',
      date_from: '2026-03-17',
      date_to: '2026-03-24',
    });
    expect(breakdown.find(({ label }) => label === 'ACCEPTED')).toMatchObject({
      count: 0,
      revenue: 0,
      before: { count: 2, revenue: 40 },
    });
  });

  it('has leads without an hour apart, whose hour an earlier release has not kept', async () => {
    const { rollups } = api.collections;
    await ask({ group_by: 'hour' });
    const hour = { org_id: org.id, hour: { $exists: true }, day: '2026-03-17' } as const;
    const kept = await rollups.find(hour).toArray();
    await rollups.deleteMany(hour);
    expect(short(await ask({ group_by: 'hour', then_by: 'supplier' }))).toEqual([
      ['unknown', 'other', 1],
      ['00', 'Search', 1],
      ['09', 'Search', 1],
    ]);
    expect(short(await ask({ group_by: 'weekday', then_by: 'hour' }))).toEqual([
      ['mon', '09', 1],
      ['tue', 'unknown', 1],
      ['wed', '00', 1],
    ]);
    await rollups.insertMany(kept);
  });

  it('is a file with a row for each group', async () => {
    const asked = await fetch(`${api.url}/api/v1/actions/get_lead_breakdown`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await org.sharedKey()}`,
        'content-type': 'application/json',
        accept: 'text/csv',
      },
      body: JSON.stringify({
        ...WEEK,
        group_by: 'day',
        then_by: 'supplier',
        compare: 'last_week',
      }),
    });
    expect(asked.status).toBe(200);
    const text = await asked.text();
    expect(text.split('\r\n').slice(0, 2)).toEqual([
      'day,supplier,count,accepted,rejected,revenue,cost,profit,margin_pct,acceptance_pct,' +
        'count_before,accepted_before,rejected_before,revenue_before,cost_before,profit_before,' +
        'margin_pct_before,acceptance_pct_before',
      '2026-03-16,Search,1,1,0,20,5,15,75,100,2,1,0,20,5,15,75,50',
    ]);
    expect(text).toContain('#end 3');
  });

  it.each([
    [{ group_by: 'hour', then_by: 'buyer' }, 'group_by'],
    [{ group_by: 'state', then_by: 'hour' }, 'then_by'],
    [{ group_by: 'day', then_by: 'day' }, 'then_by'],
    [{ group_by: 'minute' }, 'group_by'],
    [{ group_by: 'day', compare: 'never' }, 'compare'],
  ])('refuses %o', async (input, path) => {
    const { status, json } = await api.call(await org.sharedKey(), 'get_lead_breakdown', input);
    expect(status).toBe(422);
    expect(json?.details).toMatchObject([{ path }]);
  });

  it('of a buyer has no hours', async () => {
    const input = { group_by: 'hour', buyer_id: buyer };
    expect((await api.call(await org.sharedKey(), 'get_lead_breakdown', input)).status).toBe(422);
  });
});
