/** An account set up by actions alone: the stored account matches the inputs, and leads are decided by it. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setUp, startActionsApi, type ActionsApi, type Org, type Row } from '../../support/api.js';

let api: ActionsApi;
beforeAll(async () => {
  api = await startActionsApi();
});
afterAll(() => api.stop());

const NO_CAPS = {
  hourly_cap: null,
  daily_cap: null,
  weekly_cap: null,
  monthly_cap: null,
  total_cap: null,
  daily_caps: null,
  hourly_budget: null,
  daily_budget: null,
  weekly_budget: null,
  monthly_budget: null,
  total_budget: null,
};

const anAccount = (org: Org) => setUp(api, org);

describe('an account', () => {
  it('is set up by actions, and the plan has what they set', async () => {
    const org = await api.org();
    const { campaign, buyer, supplier } = await anAccount(org);
    await api.done(org, 'set_buyer_delivery', {
      buyer_id: buyer.id,
      url: 'http://127.0.0.1:9/leads',
      timeoutMs: 3_000,
      headers: { 'X-Api-Key': 'hush' },
    });
    const plan = await api.collections.plans.findOne(
      { campaign_id: campaign.id },
      { sort: { version: -1 } },
    );
    expect(plan).toMatchObject({
      status: 'ACTIVE',
      buyers: [
        {
          buyer_id: buyer.id,
          price: 25_500_000,
          states: ['CA'],
          caps: { daily_cap: 100, total_budget: 900_250_000 },
          delivery: { method: 'WEBHOOK', url: 'http://127.0.0.1:9/leads', timeout_ms: 3_000 },
          filters: { all: [{ field: 'state', operator: '==', value: 'CA' }] },
        },
      ],
      suppliers: { [supplier.id]: { cost_mode: 'FIXED', cost_per_lead: 12_000_000 } },
    });
  });

  it('is found by ids in upper case', async () => {
    const org = await api.org();
    const { campaign } = await anAccount(org);
    const campaign_id = campaign.id.toUpperCase();
    expect(await api.done<Row>(org, 'get_campaign', { campaign_id })).toMatchObject({
      id: campaign.id,
    });
  });

  it('shows a campaign with all its parts, money in currency, and no secret', async () => {
    const org = await api.org();
    const { campaign, buyer, supplier } = await anAccount(org);
    const shown = await api.done<Row>(org, 'get_campaign', { campaign_id: campaign.id });
    expect(shown).toMatchObject({
      id: campaign.id,
      name: 'Auto',
      status: 'ACTIVE',
      daily_cap: null,
      filters: null,
      buyers: [{ buyer_id: buyer.id, name: 'Acme', price: 25.5, total_budget: 900.25 }],
      suppliers: [{ supplier_id: supplier.id, name: 'Search', cost_per_lead: 12 }],
    });
    expect(shown.field_mapping).toContainEqual(
      expect.objectContaining({ name: 'phone', type: 'Phone', required: true }),
    );
    const all = JSON.stringify([shown, await api.done(org, 'get_buyer', { buyer_id: buyer.id })]);
    expect(all).not.toMatch(/secret|seal|"iv"/);
  });

  it('needs only names, and begins with the defaults of the contract', async () => {
    const org = await api.org();
    const made = (action: 'create_campaign' | 'create_buyer' | 'create_supplier') =>
      api.done<Row>(org, action, { name: 'Plain' });
    const campaign = await made('create_campaign');
    const [buyer, supplier] = [await made('create_buyer'), await made('create_supplier')];
    expect(campaign).toMatchObject({
      status: 'PAUSED',
      campaign_type: 'LEADS',
      routing_method: 'DIRECT_POST',
      distribution_method: 'WATERFALL',
      max_sells: 1,
      answer_within_ms: 2_000,
      vertical: null,
      filters: null,
      ...NO_CAPS,
    });
    const { id: campaign_id } = campaign;
    const ids = { campaign_id, buyer_id: buyer.id };
    expect(await api.done(org, 'add_buyer_to_campaign', ids)).toMatchObject({
      status: 'active',
      price: 0,
      priority: null,
      weight: 1,
      states: [],
      zips: null,
      filters: null,
      schedule: null,
      when_closed: 'SKIP',
      when_unavailable: 'NEXT',
      conversion_price: null,
      delivery: null,
      ...NO_CAPS,
    });
    const source = { campaign_id, supplier_id: supplier.id };
    expect(await api.done(org, 'add_supplier_to_campaign', source)).toMatchObject({
      status: 'active',
      cost_mode: 'FIXED',
      cost_per_lead: 0,
      revenue_share: 0,
      ...NO_CAPS,
    });
  });

  it('hides the values of delivery headers', async () => {
    const org = await api.org();
    const { buyer } = await anAccount(org);
    const input = { buyer_id: buyer.id, url: 'http://127.0.0.1:9/', headers: { 'X-Key': 'hush' } };
    const shown = await api.done(org, 'set_buyer_delivery', input);
    expect(shown).toMatchObject({ delivery: { headers: { 'X-Key': '[hidden]' } } });
    const [entry] = await api.collections.audit
      .find({ org_id: org.id, action: 'set_buyer_delivery' })
      .toArray();
    expect(entry?.input).toMatchObject({ buyer_id: buyer.id, headers: '[hidden]' });
  });

  it('changes only the keys given', async () => {
    const org = await api.org();
    const { campaign, buyer, supplier } = await anAccount(org);
    const link = { campaign_id: campaign.id, buyer_id: buyer.id };
    expect(await api.done(org, 'update_campaign_buyer', { ...link, weekly_cap: 7 })).toMatchObject({
      price: 25.5,
      states: ['CA'],
      daily_cap: 100,
      weekly_cap: 7,
      total_budget: 900.25,
    });
    expect(
      await api.done(org, 'update_campaign_buyer', { ...link, daily_cap: null }),
    ).toMatchObject({ daily_cap: null, weekly_cap: 7, total_budget: 900.25 });
    expect(
      await api.done(org, 'set_supplier_cost_mode', {
        campaign_id: campaign.id,
        supplier_id: supplier.id,
        cost_mode: 'revenue_share',
        revenue_share: 60,
      }),
    ).toMatchObject({ cost_mode: 'REVENUE_SHARE', revenue_share: 60, cost_per_lead: 12 });
    expect(
      await api.done(org, 'update_buyer', { buyer_id: buyer.id, status: 'PAUSED' }),
    ).toMatchObject({ name: 'Acme', email: 'a@b.example', status: 'paused' });
    const change = { campaign_id: campaign.id, max_sells: 2 };
    expect(await api.done(org, 'update_campaign', change)).toMatchObject({
      name: 'Auto',
      status: 'ACTIVE',
      max_sells: 2,
    });
  });

  it('adds fields to the existing ones, and replaces all of them', async () => {
    const org = await api.org();
    const { id: campaign_id } = await api.done<Row>(org, 'create_campaign', { name: 'Fields' });
    const field = (name: string) => ({ name, type: 'number' });
    await api.done(org, 'add_campaign_fields', { campaign_id, fields: [field('a')] });
    await api.done(org, 'add_campaign_fields', { campaign_id, fields: [field('b')] });
    const names = async () =>
      (await api.collections.campaigns.findOne({ _id: campaign_id }))?.fields.map(
        ({ name }) => name,
      );
    expect(await names()).toEqual(['a', 'b']);
    const again = await api.call(await org.sharedKey(), 'add_campaign_fields', {
      campaign_id,
      fields: [field('b')],
    });
    expect([again.status, again.json?.error]).toEqual([422, 'invalid_input']);
    await api.done(org, 'update_field_mapping', { campaign_id, fields: [field('c')] });
    expect(await names()).toEqual(['c']);
  });

  it('names a value that breaks a rule of the account, and stores nothing', async () => {
    const org = await api.org();
    const key = await org.sharedKey();
    await api.done(org, 'create_buyer', { name: 'Acme' });
    const { status, json } = await api.call(key, 'create_buyer', { name: ' Acme ' });
    expect([status, json?.details]).toEqual([
      422,
      [{ path: 'name', code: 'not_allowed', message: 'Another buyer is already named "Acme".' }],
    ]);
    const wrong = { name: 'B', delivery: { url: 'ftp://x' } };
    expect((await api.call(key, 'create_buyer', wrong)).json?.details).toMatchObject([
      { path: 'delivery.url' },
    ]);
    expect(await api.collections.buyers.countDocuments({ org_id: org.id })).toBe(1);
  });

  it.each(['campaign', 'buyer', 'supplier'] as const)(
    'has the name of a %s once, which another kind and another organization may have',
    async (kind) => {
      const [org, other] = [await api.org(), await api.org()];
      const kinds = ['campaign', 'buyer', 'supplier'] as const;
      for (const one of kinds) await api.done(org, `create_${one}`, { name: 'Acme' });
      await api.done(other, `create_${kind}`, { name: 'Acme' });
      const again = await Promise.all(
        ['Acme', ' Acme '].map(async (name) =>
          api.call(await org.sharedKey(), `create_${kind}`, { name }),
        ),
      );
      for (const { status, json } of again)
        expect([status, json?.details]).toMatchObject([
          422,
          [
            {
              path: 'name',
              code: 'not_allowed',
              message: `Another ${kind} is already named "Acme".`,
            },
          ],
        ]);
      const created = await Promise.all(
        Array.from({ length: 5 }, async () =>
          api.call(await org.sharedKey(), `create_${kind}`, { name: 'At once' }),
        ),
      );
      expect(created.filter(({ status }) => status === 200)).toHaveLength(1);
    },
  );

  it('links a buyer and a supplier once', async () => {
    const org = await api.org();
    const { campaign, buyer, supplier } = await anAccount(org);
    const key = await org.sharedKey();
    const link = { campaign_id: campaign.id };
    for (const [action, other] of [
      ['add_buyer_to_campaign', { buyer_id: buyer.id, price: 1 }],
      ['add_supplier_to_campaign', { supplier_id: supplier.id, cost_per_lead: 1 }],
    ] as const) {
      expect(await api.call(key, action, { ...link, ...other })).toMatchObject({
        status: 400,
        json: { error: 'action_refused', message: expect.stringContaining('linked') },
      });
    }
    expect(await api.collections.campaignBuyers.findOne(link)).toMatchObject({ price: 25_500_000 });
  });
});

describe('the keys of an account', () => {
  it('are shown once, listed by their first characters, and grant only permissions that they have', async () => {
    const org = await api.org();
    const limited = await org.sharedKey(['settings:write', 'leads:read']);
    const wide = await api.call(limited, 'create_api_key', { name: 'Wide' });
    expect([wide.status, wide.json?.required]).toEqual([403, 'campaigns:read']);
    const { json } = await api.call(limited, 'create_api_key', {
      name: 'Narrow',
      permissions: ['leads:read', 'settings:read'],
    });
    const { api_key, id, prefix } = json?.data as Record<'api_key' | 'id' | 'prefix', string>;
    expect(api_key.startsWith(prefix)).toBe(true);
    const listed = await api.call(api_key, 'list_api_keys');
    expect(listed.text).not.toContain(api_key);
    expect(listed.json?.data).toContainEqual({
      id,
      prefix,
      name: 'Narrow',
      permissions: ['leads:read', 'settings:read'],
      created_at: expect.any(String),
      last_used_at: expect.any(String),
      revoked_at: null,
      created_by: { kind: 'key', id: expect.any(String), name: expect.any(String) },
      expires_at: null,
    });
  });
});

describe('the record of changes', () => {
  it('shows caller, input and result, page by page', async () => {
    const org = await api.org();
    const key = await org.sharedKey();
    await api.call(key, 'create_buyer', { name: 'First' });
    await api.call(key, 'create_buyer', { name: 'First' });
    await api.call(key, 'update_buyer', { buyer_id: 'none', name: 'X' });
    await api.call(key, 'list_buyers');
    const page = async (input: object) =>
      (await api.call(await org.sharedKey(), 'list_audit', input)).json as unknown as {
        data: Row[];
        next_cursor: string | null;
      };
    const first = await page({ limit: 2 });
    expect(first.data).toMatchObject([
      { action: 'update_buyer', outcome: 'refused', error: 'There is no buyer none.' },
      { action: 'create_buyer', outcome: 'refused', error: expect.stringContaining('already') },
    ]);
    const rest = await page({ limit: 2, cursor: first.next_cursor });
    expect(rest).toMatchObject({
      data: [{ action: 'create_buyer', outcome: 'done', input: { name: 'First' }, error: null }],
      next_cursor: null,
    });
    const wrong = await api.call(key, 'list_audit', { cursor: 'x' });
    expect([wrong.status, wrong.json?.details]).toMatchObject([422, [{ path: 'cursor' }]]);
  });
});
