/** What the security log records of calls to a whole API. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createOrgKey } from '../../../src/account/keys/keys.js';
import { createKey } from '../../../src/platform/security/keys.js';
import { createBuyer } from '../../../src/account/buyers/buyers.js';
import { openPortal, portalClient } from '../../support/portal.js';
import { createAccount, type TestAccount } from '../../support/account.js';
import { startServiceBed, type ServiceBed } from '../../support/service.js';
import { bearer, LOOKUP, startApi, WHOAMI } from './loggingApi.js';
import { accountOf } from '../../support/org.js';

let bed: ServiceBed;
let account: TestAccount;
let orgKey: string;
let readOnly: string;
beforeAll(async () => {
  bed = await startServiceBed();
  account = await createAccount(bed, { buyers: {} });
  const made = await Promise.all(
    [['leads:write', 'settings:write'] as const, ['reports:read'] as const].map((permissions) =>
      createOrgKey(accountOf(bed, account.orgId), {
        name: permissions[0],
        permissions: [...permissions],
      }),
    ),
  );
  [orgKey = '', readOnly = ''] = made.map(({ api_key }) => api_key);
});
afterAll(() => bed.stop());

const PORTAL_CALL = '/portal/api/:membership/:call';

/** The portals of a supplier and a buyer, each with an admin. */
async function portals(url: string) {
  const { collections, keyring } = bed;
  const { orgId: org_id, suppliers } = account;
  const { buyer } = await createBuyer(accountOf({ collections, keyring }, org_id), {
    name: 'Secretive',
  });
  const open = async (side: 'buyer' | 'supplier', party_id: string) =>
    portalClient(url, await openPortal(collections, { org_id, side, party_id }));
  return {
    supplier: await open('supplier', suppliers[0]?.id ?? ''),
    buyer: await open('buyer', buyer._id),
  };
}

describe('the security log of the API', () => {
  it('records refusals on every surface, and never a key', async () => {
    const api = await startApi(bed);
    const key = createKey('live');
    const id = { 'x-request-id': 'mine' };
    await api.post('/api/v1/ingest', { ...id, 'x-api-key': key });
    await api.post('/api/v1/actions/list_buyers', bearer(readOnly));
    await api.post('/mcp', bearer(readOnly), {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'list_buyers', arguments: {} },
    });
    await api.post(
      '/api/v1/ingest',
      { 'x-api-key': account.suppliers[0]?.key ?? '' },
      {
        flo_campaign_id: account.campaignId,
        flo_supplier_id: 'another',
      },
    );
    await api.post('/api/v1/actions/revoke_api_key', bearer(orgKey), {
      key_id: (await createOrgKey(accountOf(bed, account.orgId), { name: `Old ${Math.random()}` }))
        .key.id,
    });
    const events = api.lines.filter(
      ({ msg, event }) => msg === 'security' && event !== 'auth_passed',
    );
    const ours = { org_id: account.orgId, actor: 'api_key', actor_id: expect.any(String) };
    expect(events).toEqual([
      expect.objectContaining({
        event: 'auth_failed',
        address: '127.0.0.1',
        method: 'POST',
        route: '/api/v1/ingest',
        request_id: 'mine',
        level: 30,
      }),
      expect.objectContaining({
        event: 'permission_refused',
        ...ours,
        route: '/api/v1/actions/:action',
        reason: expect.stringContaining('buyers:read'),
      }),
      expect.objectContaining({
        event: 'forbidden',
        actor: 'supplier',
        actor_id: account.suppliers[0]?.id,
      }),
      expect.objectContaining({ event: 'key_changed', action: 'revoke_api_key', ...ours }),
    ]);
    await api.service.stop();
    expect(api.lines).toContainEqual(
      expect.objectContaining({
        event: 'permission_refused',
        route: '/api/v1/actions/:action',
        count: 1,
      }),
    );
    for (const secret of [key, orgKey, readOnly, account.suppliers[0]?.key ?? ''])
      expect(JSON.stringify(api.lines)).not.toContain(secret);
    const { values } = await api.service.deps.metrics.securityEvents.get();
    expect(Object.fromEntries(values.map(({ labels, value }) => [labels.event, value]))).toEqual({
      auth_failed: 1,
      permission_refused: 2,
      forbidden: 1,
      key_changed: 1,
      auth_passed: 3,
    });
  });

  it('records the keys and secrets that people of partners change in their portals', async () => {
    const api = await startApi(bed);
    const { supplier, buyer } = await portals(api.url);
    const made = await supplier.call('create_key', { name: 'App' });
    const { key, api_key } = made.json?.data as { key: { id: string }; api_key: string };
    await supplier.call('rotate_key', { key_id: 'none' });
    await supplier.call('revoke_key', { key_id: key.id });
    const rotated = await buyer.call('rotate_secret', { secret: 'webhook' });
    expect(rotated.status).toBe(200);
    await supplier.call('list_keys');
    const hook = await supplier.call('set_webhook', { url: 'https://receiver.example/hook' });
    const signing = await supplier.call('rotate_webhook_secret');
    expect([hook.status, signing.status]).toEqual([200, 200]);
    await supplier.call('remove_webhook');
    expect((await supplier.call('rotate_webhook_secret')).status).toBe(404);
    const person = { actor: 'person', org_id: account.orgId, route: PORTAL_CALL };
    expect(api.lines.filter(({ event }) => event === 'key_changed')).toEqual([
      expect.objectContaining({ ...person, action: 'supplier_portal.create_key' }),
      expect.objectContaining({ ...person, action: 'supplier_portal.revoke_key' }),
      expect.objectContaining({ ...person, action: 'buyer_portal.rotate_secret' }),
      expect.objectContaining({ ...person, action: 'supplier_portal.set_webhook' }),
      expect.objectContaining({ ...person, action: 'supplier_portal.rotate_webhook_secret' }),
      expect.objectContaining({ ...person, action: 'supplier_portal.remove_webhook' }),
    ]);
    const { value } = rotated.json?.data as { value: string };
    const { secret: signedWith } = signing.json?.data as { secret: string };
    for (const secret of [api_key, value, signedWith])
      expect(JSON.stringify(api.lines)).not.toContain(secret);
  });

  it('records the first use of a key from an address', async () => {
    const api = await startApi(bed, { TRUST_PROXY: 'true' });
    const from = (address: string) => ({ 'x-forwarded-for': address });
    const supplier = { 'x-api-key': account.suppliers[0]?.key ?? '' };
    for (let n = 0; n < 3; n += 1) {
      await api.get(WHOAMI, { ...bearer(orgKey), ...from('203.0.113.1') });
      await api.get(WHOAMI, { ...bearer(orgKey), ...from('203.0.113.2') });
      await api.get(LOOKUP, { ...supplier, ...from('203.0.113.1') });
    }
    const passed = api.lines.filter(({ event }) => event === 'auth_passed');
    const ofKey = { actor: 'api_key', route: WHOAMI, org_id: account.orgId };
    expect(passed).toEqual([
      expect.objectContaining({ ...ofKey, address: '203.0.113.1' }),
      expect.objectContaining({ ...ofKey, address: '203.0.113.2' }),
      expect.objectContaining({ actor: 'supplier', address: '203.0.113.1' }),
    ]);
  });

  it('records a refused input by its code, without its content', async () => {
    const api = await startApi(bed);
    const supplier = { 'x-api-key': account.suppliers[0]?.key ?? '' };
    const phone = '5559998877 or 1=1';
    const lead = { flo_campaign_id: account.campaignId, flo_supplier_id: account.suppliers[0]?.id };
    await api.post('/api/v1/ingest', supplier, { ...lead, phone });
    await api.post('/api/v1/ingest', supplier, { ...lead, phone });
    await api.post('/api/v1/actions/get_lead', bearer(orgKey), { lead_id: { $ne: phone } });
    const refused = api.lines.filter(({ event }) => event === 'input_refused');
    expect(refused).toEqual([
      expect.objectContaining({
        actor: 'supplier',
        actor_id: account.suppliers[0]?.id,
        route: '/api/v1/ingest',
        reason: 'validation_failed',
      }),
      expect.objectContaining({ actor: 'api_key', reason: 'invalid_input' }),
    ]);
    expect(JSON.stringify(api.lines)).not.toContain(phone);
  });
});
