import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Lead } from '../../../../src/leads/rules/lead.js';
import { aLead } from '../../../support/storedRows.js';
import { setUp, startActionsApi, type ActionsApi, type Org } from '../../../support/api.js';

interface Flow extends Record<string, unknown> {
  total: Record<string, number>;
  suppliers: { supplier_name: string; total_leads: number; share_pct: number }[];
  checks: { check: string; leads: number; share_pct: number }[];
  routed: number;
  buyers: { buyer_name: string; sales: number; revenue: number }[];
  reasons: { text: string; leads: number; before: { leads: number } | null }[];
  before: { date_from: string; total: Record<string, number> } | null;
}

describe('the way of leads', () => {
  let api: ActionsApi;
  let org: Org;
  let ids: Record<'campaign' | 'buyer' | 'supplier', string>;
  const at = (day: string) => new Date(`${day}T16:00:00Z`);
  const NOW = { date_from: '2026-03-10', date_to: '2026-03-10' };

  const stored = (...leads: Partial<Lead>[]) =>
    api.collections.leads.insertMany(
      leads.map((one) =>
        aLead({
          org_id: org.id,
          campaign_id: ids.campaign,
          supplier_id: ids.supplier,
          created_at: at('2026-03-10'),
          changes: 1,
          uncounted: true,
          ...one,
        }),
      ),
    );
  const rejected = (buyer_id: string): Partial<Lead> => ({
    status: 'UNMATCHED',
    trail: [{ at: new Date(0), step: 'delivery', result: 'rejected', buyer_id }],
  });
  const filtered = (field: string): Partial<Lead> => ({
    status: 'REJECTED',
    filter_errors: [{ filter_id: 'f', field, operator: 'IN', value: [], message: 'not served' }],
  });
  const flow = (input: object) => api.done<Flow>(org, 'get_flow', input);

  beforeAll(async () => {
    api = await startActionsApi();
    org = await api.org();
    const { campaign, buyer, supplier } = await setUp(api, org);
    ids = { campaign: campaign.id, buyer: buyer.id, supplier: supplier.id };
    const sold = {
      status: 'ACCEPTED' as const,
      sales: [{ buyer_id: ids.buyer, attempt: 1, price: 20e6, cost: 8e6, at: new Date(0) }],
    };
    await stored(
      sold,
      sold,
      sold,
      { status: 'PENDING' },
      { status: 'DUPLICATE' },
      filtered('state'),
      filtered('state'),
      filtered('zip_code'),
      { status: 'REJECTED', refusal: 'supplier_capped' },
      rejected(ids.buyer),
      { ...sold, is_test: true },
      // A week earlier.
      { ...sold, created_at: at('2026-03-03') },
      { ...filtered('state'), created_at: at('2026-03-03') },
      { ...rejected('gone'), created_at: at('2026-03-03') },
    );
  });
  afterAll(() => api.stop());

  it('is told from suppliers past the checks to buyers, in sums that agree with get_lead_stats', async () => {
    const shown = await flow({ campaign_id: ids.campaign, ...NOW });
    const stats = await api.done<Record<string, number>>(org, 'get_lead_stats', NOW);
    for (const [key, value] of Object.entries(shown.total))
      if (key !== 'acceptance_pct') expect([key, value]).toEqual([key, stats[key]]);
    expect(shown.total).toMatchObject({ total_leads: 10, accepted: 3, acceptance_pct: 33.3 });
    expect(shown.suppliers).toMatchObject([{ total_leads: 10, accepted: 3, share_pct: 100 }]);
    expect(shown.checks.map(({ check, leads }) => [check, leads])).toEqual([
      ['bots', 0],
      ['filters', 3],
      ['suppression', 0],
      ['duplicates', 1],
      ['supplier_caps', 1],
    ]);
    expect(shown.routed).toBe(5);
    expect(shown.buyers).toMatchObject([{ sales: 3, revenue: 60, profit: 36, share_pct: 30 }]);
    expect(shown.before).toBeNull();
  });

  it('says why leads were not sold, with all of them counted once', async () => {
    const { reasons, total, buyers } = await flow({ ...NOW });
    expect(reasons.map(({ text, leads, before }) => [text, leads, before])).toEqual([
      ['Campaign filter on state', 2, null],
      ['Campaign filter on zip_code', 1, null],
      ["The supplier's cap was full", 1, null],
      ['Repeats another lead', 1, null],
      [`${buyers[0]?.buyer_name ?? ''} rejected it`, 1, null],
    ]);
    const lost = reasons.reduce((sum, { leads }) => sum + leads, 0);
    expect(lost).toBe(total.total_leads! - total.accepted! - total.pending!);
  });

  it('compares with the same days a week earlier, also reasons that are gone', async () => {
    const { before, reasons } = await flow({ ...NOW, compare: true });
    expect(before).toMatchObject({
      date_from: '2026-03-03',
      total: { total_leads: 3, accepted: 1 },
    });
    expect(reasons[0]).toMatchObject({ field: 'state', leads: 2, before: { leads: 1 } });
    expect(reasons.at(-1)).toMatchObject({
      text: 'A buyer rejected it',
      leads: 0,
      before: { leads: 1, share_pct: 33.3 },
    });
  });

  it('is empty for days without leads, and refuses days the wrong way round, or too many', async () => {
    expect(await flow({ date_from: '2026-02-01', date_to: '2026-02-01' })).toMatchObject({
      total: { total_leads: 0, acceptance_pct: 0, margin_pct: 0 },
      suppliers: [],
      buyers: [],
      reasons: [],
      routed: 0,
    });
    for (const wrong of [
      { date_from: '2026-03-11', date_to: '2026-03-10' },
      { date_from: '2025-03-11', date_to: '2026-03-10' },
    ])
      expect(await api.call(await org.sharedKey(), 'get_flow', wrong)).toMatchObject({
        status: 422,
      });
  });

  it('is in the list of campaigns: today, the week, and what is nearly full', async () => {
    await stored({ status: 'UNMATCHED', created_at: new Date() });
    const rows = await api.done<{ id: string; figures?: object }[]>(org, 'list_campaigns', {
      figures: true,
      search: '',
    });
    const row = rows.find(({ id }) => id === ids.campaign);
    expect(row?.figures).toMatchObject({
      today: { total_leads: 1, accepted: 0, pending: 0, acceptance_pct: 0, revenue: 0 },
      week: [0, 0, 0, 0, 0, 0, 1],
      caps_nearly_full: 0,
    });
    const named = (search: string) =>
      api.done<{ id: string; figures?: object }[]>(org, 'list_campaigns', { search });
    expect(await named('.*')).toEqual([]);
    expect((await named('')).map(({ figures }) => figures)).toEqual([undefined]);
  });
});
