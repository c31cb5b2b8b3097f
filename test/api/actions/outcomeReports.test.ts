/** Leads with outcomes in reports and views. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Lead } from '../../../src/leads/rules/lead.js';
import { aSale, aSoldLead } from '../../outcomes/changes.js';
import { setUp, startActionsApi, type ActionsApi, type Org } from '../../support/api.js';

const AT = new Date('2026-11-21T12:00:00Z');
const DAY = { date_from: '2026-11-21', date_to: '2026-11-21' };

describe('leads with an outcome', () => {
  let api: ActionsApi;
  let org: Org;
  let ids: Record<'converted' | 'refused' | 'returned' | 'silent' | 'unsold', string>;
  let campaign_id = '';

  beforeAll(async () => {
    api = await startActionsApi();
    org = await api.org();
    campaign_id = (await setUp(api, org)).campaign.id;
    const lead = (more: Partial<Lead> = {}) =>
      aSoldLead({
        org_id: org.id,
        campaign_id,
        created_at: AT,
        uncounted: true,
        ...more,
      });
    const returned = { at: AT, return_id: 'r', cost_reversed: true };
    const all = {
      converted: lead({
        outcome: 'converted',
        converted_at: AT,
        sales: [
          aSale({
            outcome: 'converted',
            outcome_at: AT,
            conversion_revenue: 70e6,
            revenue: 70e6,
            lead_value: 900e6,
            note: 'signed',
          }),
        ],
      }),
      refused: lead({
        outcome: 'not_qualified',
        sales: [aSale({ outcome: 'not_qualified', outcome_at: AT })],
      }),
      returned: lead({ sales: [aSale({ returned, revenue: 0 })] }),
      silent: lead({ status: 'SELLING' }),
      unsold: lead({ status: 'UNMATCHED', buyer_id: null, sales: [] }),
    };
    await api.collections.leads.insertMany(Object.values(all));
    ids = Object.fromEntries(
      Object.entries(all).map(([name, { _id }]) => [name, _id]),
    ) as typeof ids;
  });
  afterAll(() => api.stop());

  it('count as accepted in reports, whatever their outcome, and as converted where they converted', async () => {
    const { campaign } = await api.done<{ campaign: object }>(org, 'get_campaign_performance', {
      campaign_id,
      ...DAY,
    });
    expect(campaign).toMatchObject({
      total_leads: 5,
      accepted: 4,
      unmatched: 1,
      sales: 4,
      converted: 1,
      revenue: 90,
      cost: 12,
      profit: 78,
    });
    expect(await api.done(org, 'get_lead_stats', DAY)).toMatchObject({ accepted: 4, revenue: 90 });
  });

  it('count once as converted, however many of their sales are', async () => {
    const other = await api.org();
    const campaign_id = (await setUp(api, other)).campaign.id;
    const sales = ['buyer', 'other', 'third'].map((buyer_id, n) =>
      aSale({
        buyer_id,
        attempt: n + 1,
        ...(n < 2 ? { outcome: 'converted', outcome_at: AT } : {}),
      }),
    );
    const both = aSoldLead({
      org_id: other.id,
      campaign_id,
      created_at: AT,
      sales,
      uncounted: true,
    });
    const last = { outcome: 'not_qualified', outcome_at: AT } as const;
    await api.collections.leads.insertOne({ ...both, ...last });
    const report = () =>
      api.done<{ campaign: object }>(other, 'get_campaign_performance', { campaign_id, ...DAY });
    const { campaign } = await report();
    expect(campaign).toMatchObject({ total_leads: 1, accepted: 1, sales: 3, converted: 1 });
    // One of its buyers says otherwise, and the lead stays a converted one; then the other does too.
    for (const [n, converted] of [
      [0, 1],
      [1, 0],
    ] as const) {
      await api.collections.leads.updateOne(
        { _id: both._id },
        {
          $set: { [`sales.${n}.outcome`]: 'not_qualified', uncounted: true },
          $inc: { changes: 1 },
        },
      );
      expect((await report()).campaign).toMatchObject({ accepted: 1, converted });
    }
  });

  it('are broken down by the status that they show', async () => {
    const { breakdown } = await api.done<{ breakdown: Record<string, unknown>[] }>(
      ...([org, 'get_lead_breakdown', { ...DAY, group_by: 'status' }] as const),
    );
    const by = Object.fromEntries(
      breakdown.map(({ label, count, accepted, revenue }) => [
        String(label),
        [count, accepted, revenue],
      ]),
    );
    expect(by).toEqual({
      ACCEPTED: [1, 1, 10],
      converted: [1, 1, 70],
      not_qualified: [1, 1, 10],
      RETURNED: [1, 1, 0],
      UNMATCHED: [1, 0, 0],
    });
  });

  it('are shown with their outcome, in addition to price and decision', async () => {
    const view = (lead_id: string) => api.done(org, 'get_lead', { lead_id });
    expect(await view(ids.converted)).toMatchObject({
      status: 'converted',
      distribution_status: 'ACCEPTED',
      outcome: 'converted',
      price: 10,
      revenue: 70,
      cost: 4,
      profit: 66,
      converted_at: AT.toISOString(),
      sales: [
        {
          price: 10,
          revenue: 70,
          cost: 4,
          outcome: 'converted',
          note: 'signed',
          conversion_revenue: 70,
          lead_value: 900,
          returned_at: null,
        },
      ],
    });
    expect(await view(ids.returned)).toMatchObject({
      status: 'RETURNED',
      distribution_status: 'ACCEPTED',
      outcome: null,
      revenue: 0,
      cost: 0,
      sales: [{ returned_at: AT.toISOString(), price: 10, revenue: 0 }],
    });
    expect(await view(ids.silent)).toMatchObject({ status: 'ACCEPTED', outcome: null });
    expect(await view(ids.unsold)).toMatchObject({ status: 'UNMATCHED', outcome: null });
  });

  it('are listed with it, and filtered by the decision of the distribution', async () => {
    const { leads } = await api.done<{ leads: { id: string; status: string }[] }>(
      ...([org, 'get_leads', { status: 'ACCEPTED' }] as const),
    );
    expect(Object.fromEntries(leads.map(({ id, status }) => [id, status]))).toEqual({
      [ids.converted]: 'converted',
      [ids.refused]: 'not_qualified',
      [ids.returned]: 'RETURNED',
      [ids.silent]: 'ACCEPTED',
    });
  });
});
