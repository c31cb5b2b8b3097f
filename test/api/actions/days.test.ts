/** The days of reports begin and end by the clock of the account: at hours that UTC, or a fixed offset, puts elsewhere. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ActionName } from '../../../src/api/actions/names.js';
import { windowKeys } from '../../../src/fields/windowKeys.js';
import { systemClock } from '../../../src/lib/clock.js';
import { TEST_ZONE } from '../../support/org.js';
import { aLead, aRow } from '../../support/storedRows.js';
import { setUp, startActionsApi, type ActionsApi, type Org, type Row } from '../../support/api.js';

interface Day {
  date: string;
  [figure: string]: unknown;
}

describe('the days of reports', () => {
  let api: ActionsApi;
  let org: Org;
  let ids: Record<'campaign' | 'buyer' | 'supplier' | 'funnel', string>;
  let now: Date;

  /** Each with the time that it is there, the day that it is in New York, when that began, and 29 days before. */
  const DAYS: [string, string, string, string, string][] = [
    ['an evening', '2026-06-01T02:00:00Z', '2026-05-31', '2026-05-31T04:00:00Z', '2026-05-02'],
    ['23 hours', '2026-03-09T03:59:59Z', '2026-03-08', '2026-03-08T05:00:00Z', '2026-02-07'],
    ['25 hours', '2026-11-02T04:59:59Z', '2026-11-01', '2026-11-01T04:00:00Z', '2026-10-03'],
  ];

  beforeAll(async () => {
    api = await startActionsApi({ clock: { ...systemClock, now: () => now } });
    org = await api.org();
    now = new Date();
    const { campaign, buyer, supplier } = await setUp(api, org);
    const at = { campaign_id: campaign.id, supplier_id: supplier.id };
    const funnel = await api.done<Row>(org, 'create_funnel', { template: 'lead_form', ...at });
    ids = { campaign: campaign.id, buyer: buyer.id, supplier: supplier.id, funnel: funnel.id };
    const times = DAYS.flatMap(([, last, , first]) => [
      new Date(Number(new Date(first)) - 1),
      new Date(first),
      new Date(last),
    ]);
    const own = { org_id: org.id, campaign_id: ids.campaign, supplier_id: ids.supplier };
    const origin = { funnel_id: ids.funnel, version: 1, consent_id: 'c', source: 'direct' };
    const counted = { changes: 1, uncounted: true } as const;
    const sold = { ...own, buyer_id: ids.buyer };
    await api.collections.leads.insertMany(
      times.map((created_at) =>
        aLead({ ...own, ...counted, created_at, origin, status: 'UNMATCHED' }),
      ),
    );
    await api.collections.deliveries.insertMany(
      times.map((created_at) => {
        const reserved = windowKeys(created_at, TEST_ZONE);
        return aRow({ ...sold, created_at, reserved, state: 'rejected' });
      }),
    );
    const stored = { org_id: org.id, funnel_id: ids.funnel, version: 1, source: 'direct' };
    await api.collections.funnelCounts.insertMany(
      DAYS.map(([, , day]) => {
        const counts = { views: 5, starts: 0, submits: 0, steps: {}, suspects: {} };
        return { _id: `${ids.funnel}:${day}`, ...stored, ...counts, day };
      }),
    );
  });
  afterAll(() => api.stop());

  const read = async (action: ActionName, input: object) => {
    const data = await api.done<Record<string, unknown>>(org, action, input);
    return data as typeof data & { date_from: string; date_to: string; days: Day[] };
  };

  it.each(DAYS)('without a date are the last thirty: %s', async (_day, last, day, _first, from) => {
    now = new Date(last);
    const span = { date_from: from, date_to: day };
    const stats = await read('get_lead_stats', {});
    expect(stats).toMatchObject(span);
    expect(stats.days.at(-1)).toMatchObject({ date: day, total_leads: 2 });
    const funnel = await read('get_funnel_stats', { funnel_id: ids.funnel });
    expect(funnel).toMatchObject(span);
    expect(funnel.days).toHaveLength(30);
    expect(funnel.days.at(-1)).toMatchObject({ date: day, views: 5, leads: 2 });
    expect(funnel.days.at(-2)).toMatchObject({ views: 0, leads: 1 });
    const breakdown = { group_by: 'supplier', campaign_id: ids.campaign };
    expect(await read('get_lead_breakdown', breakdown)).toMatchObject(span);
    const campaign = { campaign_id: ids.campaign };
    expect(await read('get_campaign_performance', campaign)).toMatchObject(span);
    const buyer = { buyer_id: ids.buyer };
    const reconciled = await read('get_buyer_reconciliation', buyer);
    expect(reconciled).toMatchObject({ ...span, total: { sent: 3 } });
  });

  it.each(DAYS)('begin and end at midnight: %s', async (_day, _last, day) => {
    const span = { date_from: day, date_to: day };
    expect(await read('get_lead_stats', span)).toMatchObject({ total_leads: 2 });
    const funnel = await read('get_funnel_stats', { funnel_id: ids.funnel, ...span });
    expect(funnel).toMatchObject({ views: 5, leads: 2, days: [{ date: day, leads: 2 }] });
    const buyer = { buyer_id: ids.buyer, ...span };
    const reconciled = await read('get_buyer_reconciliation', buyer);
    expect(reconciled).toMatchObject({ total: { sent: 2, rejected: 2 } });
  });

  it('are those of made-up leads, whose dates must be recent', async () => {
    now = new Date(DAYS[0]?.[1] ?? '');
    const incident_date = '2026-05-31';
    const fields = [{ name: 'incident_date', type: 'Date', required: true }];
    await api.done(org, 'add_campaign_fields', { campaign_id: ids.campaign, fields });
    const filters = [{ field: 'incident_date', operator: '>= 0 days ago' }];
    await api.done(org, 'update_inbound_filters', { campaign_id: ids.campaign, filters });
    const campaign = { campaign_id: ids.campaign };
    expect(await read('get_campaign_api_spec', campaign)).toMatchObject({
      guide: { example: { incident_date } },
    });
    expect(await read('send_test_lead', { ...campaign, supplier_id: ids.supplier })).toMatchObject({
      sent: { incident_date },
    });
  });
});
