/** The posting guide and the keys of suppliers in the Actions API. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { permissionsOf } from '../../../../src/account/keys/keys.js';
import { setUp, startActionsApi, type ActionsApi, type Row } from '../../../support/api.js';

let api: ActionsApi;
beforeAll(async () => {
  api = await startActionsApi();
});
afterAll(() => api.stop());

describe.each([
  ['get_campaign_api_spec', (data: unknown) => (data as { markdown: string }).markdown],
  ['get_supplier', (data: unknown) => JSON.stringify(data)],
] as const)('%s', (action, textOf) => {
  const scene = async () => {
    const org = await api.org();
    const { campaign, supplier } = await setUp(api, org);
    const ids = { supplier_id: supplier.id };
    const input =
      action === 'get_supplier' ? ids : { ...ids, campaign_id: campaign.id, format: 'markdown' };
    const shown = (await api.collections.audit.find({ org_id: org.id, action }).toArray()).length;
    return { org, input, key: String(supplier.api_key), shown };
  };

  it('shows the key of a supplier only when asked, and records that', async () => {
    const { org, input, key, shown } = await scene();
    expect(shown).toBe(0);
    expect(textOf(await api.done(org, action, input))).not.toContain(key);
    expect(await api.collections.audit.countDocuments({ org_id: org.id, action })).toBe(0);
    expect(textOf(await api.done(org, action, { ...input, reveal_key: true }))).toContain(key);
    const [entry] = await api.collections.audit.find({ org_id: org.id, action }).toArray();
    expect(entry).toMatchObject({ outcome: 'done', input: { supplier_id: input.supplier_id } });
    expect(JSON.stringify(entry)).not.toContain(key);
  });

  it('hides the key of a supplier from API keys that may not change suppliers', async () => {
    const { org, input } = await scene();
    const reader = await org.sharedKey(permissionsOf('read'));
    expect((await api.call(reader, action, input)).status).toBe(200);
    const { status, json, text } = await api.call(reader, action, { ...input, reveal_key: true });
    expect([status, json?.error, json?.required]).toEqual([403, 'forbidden', 'suppliers:write']);
    expect(text).not.toContain('lw_live_');
  });
});

describe('the posting guide', () => {
  const refused = async (input: (ids: { campaign_id: string; supplier_id: string }) => object) => {
    const org = await api.org();
    const { campaign, supplier } = await setUp(api, org);
    const other = await api.done<Row>(org, 'create_supplier', { name: 'Other' });
    await api.done(org, 'update_campaign', { campaign_id: campaign.id, max_sells: 2 });
    const ids = { campaign_id: campaign.id, supplier_id: supplier.id, other: other.id };
    const { status, json } = await api.call(
      await org.sharedKey(),
      'get_campaign_api_spec',
      input(ids),
    );
    return [status, json?.error, json?.message];
  };

  it('is returned as data, with the configured address', async () => {
    const org = await api.org();
    const { campaign, supplier } = await setUp(api, org);
    expect(
      await api.done(org, 'get_campaign_api_spec', { campaign_id: campaign.id }),
    ).toMatchObject({
      format: 'json',
      markdown: null,
      guide: {
        campaign: { id: campaign.id, name: 'Auto' },
        supplier: null,
        endpoint: { url: 'https://leads.example/api/v1/ingest', note: null },
        rate_limit: { per_second: 100 },
      },
    });
    const input = { campaign_id: campaign.id, supplier_id: supplier.id };
    expect(await api.done(org, 'get_campaign_api_spec', input)).toMatchObject({
      guide: { supplier: { id: supplier.id, name: 'Search' } },
    });
  });

  it('is refused for a supplier that may not post, and for an unknown supplier', async () => {
    expect(
      await refused((ids) => ({
        ...ids,
        supplier_id: (ids as unknown as Row).other,
        other: undefined,
      })),
    ).toEqual([
      400,
      'action_refused',
      'Supplier Other is not linked to this campaign. Link it with add_supplier_to_campaign first.',
    ]);
    expect(await refused(({ campaign_id }) => ({ campaign_id, reveal_key: true }))).toEqual([
      422,
      'invalid_input',
      'supplier_id is required with reveal_key: name the supplier of the key.',
    ]);
  });

  it('explains the ping first for a ping-post campaign', async () => {
    const org = await api.org();
    const { id: campaign_id } = await api.done<Row>(org, 'create_campaign', {
      name: 'Ping',
      routing_method: 'PING_POST',
    });
    expect(await api.done(org, 'get_campaign_api_spec', { campaign_id })).toMatchObject({
      guide: {
        endpoint: { url: 'https://leads.example/api/v1/ingest' },
        ping: {
          endpoint: { url: 'https://leads.example/api/v1/ping' },
          rate_limit: { per_second: 500 },
        },
      },
    });
  });
});
