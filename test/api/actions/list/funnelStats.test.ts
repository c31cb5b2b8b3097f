/** The figures of funnels: of one, and of a list. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dayAfter } from '../../../../src/fields/days.js';
import type { FunnelDefinition } from '../../../../src/funnels/rules/definition.js';
import {
  setUp,
  startActionsApi,
  type ActionsApi,
  type Org,
  type Row,
} from '../../../support/api.js';
import { windowsNow } from '../../../support/org.js';
import { aLead } from '../../../support/storedRows.js';

interface Funnel extends Row {
  definition: FunnelDefinition;
}

describe('the figures of funnels', () => {
  let api: ActionsApi;
  let org: Org;
  let place: { campaign_id: string; supplier_id: string };
  beforeAll(async () => {
    api = await startActionsApi();
    org = await api.org();
    const { campaign, supplier } = await setUp(api, org);
    place = { campaign_id: campaign.id, supplier_id: supplier.id };
  });
  afterAll(() => api.stop());

  const create = () => api.done<Funnel>(org, 'create_funnel', { template: 'lead_form', ...place });

  it('count what visitors did, and the results of their leads', async () => {
    const { id, definition } = await create();
    const [step] = definition.blocks.filter(({ type }) => type === 'form');
    const day = windowsNow().day;
    const counts = { org_id: org.id, funnel_id: id, day, version: 1, suspects: {} };
    await api.collections.funnelCounts.insertMany([
      {
        _id: `${id}:1`,
        ...counts,
        source: 'google',
        views: 10,
        starts: 6,
        submits: 3,
        steps: { [step?.id ?? '']: { shown: 8, done: 3 } },
      },
      {
        _id: `${id}:2`,
        ...counts,
        source: 'direct',
        views: 2,
        starts: 1,
        submits: 1,
        steps: { gone: { shown: 1, done: 1 } },
        suspects: { honeypot: 2 },
      },
    ]);
    const origin = { funnel_id: id, version: 1, consent_id: 'c', source: 'google' };
    const lead = { org_id: org.id, created_at: new Date(), origin };
    await api.collections.leads.insertMany([
      aLead({ ...lead, status: 'ACCEPTED', price: 25_500_000 }),
      aLead({ ...lead, status: 'UNMATCHED' }),
      // Sold, and on its way to more buyers.
      aLead({ ...lead, status: 'SELLING', price: 4_500_000 }),
      aLead({ ...lead, status: 'WITHDRAWN' }),
      aLead({ ...lead, status: 'ACCEPTED', price: 9_000_000, is_test: true }),
    ]);
    const stats = await api.done(org, 'get_funnel_stats', { funnel_id: id });
    expect(stats).toMatchObject({
      views: 12,
      starts: 7,
      submits: 4,
      leads: 3,
      accepted: 2,
      revenue: 30,
      conversion_pct: 16.67,
      suspects: { honeypot: 2, too_fast: 0 },
    });
    const { steps, days, sources } = stats as Record<string, Row[]>;
    expect(steps?.find((one) => one.step === step?.id)).toMatchObject({
      shown: 8,
      done: 3,
      left: 5,
      drop_off_pct: 62.5,
    });
    expect(steps?.at(-1)).toMatchObject({ step: 'gone', title: null });
    expect(days).toHaveLength(30);
    expect(days?.at(-1)).toMatchObject({ date: day, views: 12, leads: 3, accepted: 2 });
    expect(sources).toMatchObject([
      { source: 'google', views: 10, leads: 3, accepted: 2, revenue: 30 },
      { source: 'direct', views: 2, leads: 0 },
    ]);
    const none = await api.done(org, 'get_funnel_stats', { funnel_id: id, version: 2 });
    expect(none).toMatchObject({ views: 0, leads: 0, conversion_pct: 0 });
    const { status } = await api.call(await org.sharedKey(), 'get_funnel_stats', {
      funnel_id: id,
      date_from: '2026-01-01',
      date_to: '2026-06-01',
    });
    expect(status).toBe(422);
  });

  it('are in a list of funnels that asks for them, of 7 days', async () => {
    const { id, definition } = await create();
    const [step] = definition.blocks.filter(({ type }) => type === 'form');
    const { day } = windowsNow();
    const counts = {
      org_id: org.id,
      funnel_id: id,
      version: 1,
      source: 'direct',
      views: 10,
      starts: 8,
      submits: 2,
      suspects: {},
      steps: { [step?.id ?? '']: { shown: 8, done: 2 } },
    };
    await api.collections.funnelCounts.insertMany([
      { ...counts, _id: `${id}:today`, day },
      { ...counts, _id: `${id}:first`, day: dayAfter(day, -6) },
      { ...counts, _id: `${id}:before`, day: dayAfter(day, -7) },
    ]);
    const origin = { funnel_id: id, version: 1, consent_id: 'c', source: 'direct' };
    const lead = { org_id: org.id, created_at: new Date(), origin };
    await api.collections.leads.insertMany([
      aLead({ ...lead, status: 'ACCEPTED' }),
      aLead({ ...lead, status: 'UNMATCHED' }),
      aLead({ ...lead, status: 'WITHDRAWN' }),
      aLead({ ...lead, status: 'ACCEPTED', is_test: true }),
    ]);
    const other = await create();
    const listed = await api.done<Row[]>(org, 'list_funnels', { stats: true });
    const statsOf = (one: string) => listed.find((row) => row.id === one)?.stats;
    expect(statsOf(id)).toEqual({
      from: dayAfter(day, -6),
      to: day,
      views: 20,
      submits: 4,
      leads: 2,
      accepted: 1,
      conversion_pct: 5,
      steps: [
        {
          step: step?.id,
          title: expect.stringMatching(/./),
          shown: 16,
          done: 4,
          left: 12,
          drop_off_pct: 75,
        },
      ],
    });
    expect(statsOf(other.id)).toMatchObject({ views: 0, leads: 0, conversion_pct: 0 });
    const [plain] = await api.done<Row[]>(org, 'list_funnels', { limit: 1 });
    expect(plain).not.toHaveProperty('stats');
  });
});
