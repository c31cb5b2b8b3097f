/** The names, permissions and answer keys that existing clients of the product call and read. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PERMISSIONS, permissionsOf } from '../../../src/account/keys/keys.js';
import type { ActionName } from '../../../src/api/actions/names.js';
import type { Permission } from '../../../src/account/store/keyDocs.js';
import { aLead, NOW } from '../../support/storedRows.js';
import { setUp, startActionsApi, type ActionsApi, type Org, type Row } from '../../support/api.js';

/** The actions that existing clients call, by the permission that each needs. */
const OFFERED: Partial<Record<Permission, ActionName[]>> = {
  'campaigns:read': [
    'list_campaigns',
    'get_campaign',
    'get_onboarding_status',
    'get_campaign_api_spec',
  ],
  'campaigns:write': [
    'create_campaign',
    'update_campaign',
    'update_field_mapping',
    'add_campaign_fields',
    'update_inbound_filters',
    'configure_ping_post',
    'add_buyer_to_campaign',
    'update_campaign_buyer',
    'add_supplier_to_campaign',
    'update_campaign_supplier',
    'set_supplier_cost_mode',
    'create_automation',
  ],
  'buyers:read': ['list_buyers'],
  'buyers:write': ['create_buyer', 'update_buyer', 'set_buyer_delivery', 'set_buyer_ping'],
  'suppliers:read': ['list_suppliers'],
  'suppliers:write': ['create_supplier', 'update_supplier'],
  'leads:read': ['get_leads', 'get_lead', 'get_lead_distribution_trail'],
  'leads:write': ['send_test_lead'],
  'funnels:read': ['list_funnel_templates', 'list_funnels', 'get_funnel'],
  'funnels:write': ['create_funnel', 'update_funnel', 'publish_funnel'],
  'reports:read': ['get_lead_stats', 'get_lead_breakdown', 'get_campaign_performance'],
  'portal:read': ['get_portal_members'],
  'portal:write': ['enable_buyer_portal', 'add_portal_member', 'configure_portal_settings'],
  'settings:write': ['create_api_key', 'revoke_api_key'],
};

let api: ActionsApi;
let org: Org;
beforeAll(async () => {
  api = await startActionsApi();
  org = await api.org();
});
afterAll(() => api.stop());

describe('the actions that live clients call', () => {
  it('have their names, and need the permission of their area', async () => {
    const headers = { authorization: `Bearer ${await org.sharedKey()}` };
    const answer = await fetch(`${api.url}/api/v1/actions`, { headers });
    const { data } = (await answer.json()) as {
      data: { actions: { name: string; permission: Permission }[] };
    };
    const needed = new Map(data.actions.map(({ name, permission }) => [name, permission]));
    for (const [permission, names] of Object.entries(OFFERED))
      expect(names.map((name) => [name, needed.get(name)])).toEqual(
        names.map((name) => [name, permission]),
      );
  });

  it('have permissions in eight areas, and a new key reads in each', async () => {
    const areas = ['campaigns', 'buyers', 'suppliers', 'leads'];
    const others = ['funnels', 'reports', 'portal', 'settings'];
    const both = [...areas, ...others].flatMap((area) => [`${area}:read`, `${area}:write`]);
    expect(PERMISSIONS).toEqual(both);
    const made = await api.done<Row>(org, 'create_api_key', { name: 'New' });
    expect(made.permissions).toEqual(permissionsOf('read'));
  });
});

describe('the answers that live clients read', () => {
  it('to creating a buyer and a supplier have the secrets, only once', async () => {
    const other = await api.org();
    const buyer = await api.done<Row>(other, 'create_buyer', { name: 'Acme', location: 'Reno' });
    expect(buyer).toMatchObject({
      id: expect.any(String),
      location: 'Reno',
      webhook_secret: expect.stringMatching(/^[0-9a-f]{64}$/),
      signing_secret: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const supplier = await api.done<Row>(other, 'create_supplier', { name: 'Search' });
    expect(supplier).toMatchObject({
      id: expect.any(String),
      api_key: expect.stringMatching(/^lw_live_/),
    });
    const later = JSON.stringify([
      await api.done(other, 'get_buyer', { buyer_id: buyer.id }),
      await api.done(other, 'list_buyers'),
      await api.done(other, 'get_supplier', { supplier_id: supplier.id }),
      await api.done(other, 'list_suppliers'),
    ]);
    for (const secret of [buyer.webhook_secret, buyer.signing_secret, supplier.api_key])
      expect(later).not.toContain(secret);
  });

  it('of list_buyers have every key, null where nothing is known', async () => {
    const other = await api.org();
    const { id } = await api.done<Row>(other, 'create_buyer', { name: 'Acme' });
    expect(await api.done(other, 'list_buyers')).toEqual([
      expect.objectContaining({
        id,
        name: 'Acme',
        email: null,
        phone: null,
        status: 'active',
        location: null,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      }),
    ]);
  });

  it('of a lead are flat, with its fields, and each step of its trail has every key', async () => {
    const fields = { first_name: 'Jane', phone: '+15551234567', state: 'TX' };
    const detail = { buyers: 2 };
    const lead = aLead({
      org_id: org.id,
      status: 'UNMATCHED',
      fields,
      extra: { color: 'blue' },
      trail: [
        { at: NOW, step: 'received', result: 'ok' },
        { at: NOW, step: 'caps', result: 'full', buyer_id: 'b1', reason: 'buyer_cap', detail },
      ],
    });
    await api.collections.leads.insertOne(lead);
    const input = { lead_id: lead._id };
    const shown = await api.done<Row>(org, 'get_lead', input);
    expect(shown).toMatchObject({
      id: lead._id,
      status: 'UNMATCHED',
      buyer_id: null,
      outcome: null,
      state: 'TX',
      cost: 0,
      revenue: 0,
      price: 0,
      quality_score: null,
      tags: [],
      accepted_at: null,
      converted_at: null,
      distribution_status: 'UNMATCHED',
      fields,
      extra: { color: 'blue' },
      sales: [],
    });
    expect(shown).not.toHaveProperty('trail');
    const at = NOW.toISOString();
    expect(await api.done(org, 'get_lead_distribution_trail', input)).toMatchObject({
      lead_id: lead._id,
      status: 'UNMATCHED',
      trail: [
        { at, step: 'received', result: 'ok', buyer_id: null, reason: null, detail: null },
        { at, step: 'caps', result: 'full', buyer_id: 'b1', reason: 'buyer_cap', detail },
      ],
    });
  });

  it('of days without a lead are zeros and empty lists, in every report', async () => {
    const other = await api.org();
    const { campaign } = await setUp(api, other);
    const days = { date_from: '2025-01-01', date_to: '2025-01-02' };
    const input = { campaign_id: campaign.id, ...days };
    expect(await api.done(other, 'get_leads', input)).toEqual({ leads: [], next_cursor: null });
    for (const group_by of ['buyer', 'supplier', 'campaign', 'state', 'status'])
      expect(await api.done(other, 'get_lead_breakdown', { ...days, group_by })).toMatchObject({
        breakdown: [],
      });
    expect(await api.done(other, 'get_campaign_performance', input)).toMatchObject({
      campaign: {
        id: campaign.id,
        name: 'Auto',
        total_leads: 0,
        accepted: 0,
        converted: 0,
        revenue: 0,
        cost: 0,
        profit: 0,
        margin_pct: 0,
      },
    });
  });
});
