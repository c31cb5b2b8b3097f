import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createKey, listKeys, rotateKey } from '../../../../src/api/partner/supplier/keys.js';
import { rotateSupplierKey } from '../../../../src/account/suppliers/rotateSupplierKey.js';
import { aPerson } from '../../../support/supplier.js';
import { send } from '../../../support/http.js';
import { startTestbed, type Market, type Testbed } from '../../../support/testbed.js';
import { codeOf, openSupplier, type SupplierPortal } from './scene.js';
import { accountOf } from '../../../support/org.js';

let testbed: Testbed;
beforeAll(async () => {
  testbed = await startTestbed();
});
afterAll(() => testbed.stop());

async function scene(): Promise<{ market: Market; portal: SupplierPortal }> {
  const market = await testbed.market({ suppliers: 2 });
  return { market, portal: await openSupplier(testbed, market) };
}
const list = (portal: SupplierPortal) => portal.data(listKeys, 'list_keys');
/** The status of a post with this key. */
async function posts({ account }: Market, key: string): Promise<number> {
  const [supplier] = account.suppliers;
  const body = JSON.stringify({
    flo_campaign_id: account.campaignId,
    flo_supplier_id: supplier?.id,
    ...aPerson(),
  });
  const url = `${testbed.url}/api/v1/ingest`;
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  return (await send(url, { method: 'POST', headers, body })).status;
}

describe('the keys of a supplier', () => {
  it('are its main key and those that it creates, each shown once', async () => {
    const { market, portal } = await scene();
    expect(await list(portal)).toMatchObject([{ kind: 'main', expires_at: null }]);
    const made = await portal.data(createKey, 'create_key', { name: 'Second site' });
    expect(await posts(market, made.api_key)).toBe(201);
    const after = await portal.call('list_keys');
    expect(after.json?.data).toMatchObject([
      { kind: 'main' },
      { kind: 'additional', name: 'Second site', prefix: made.api_key.slice(0, 12) },
    ]);
    expect(after.text).not.toContain(made.api_key);
  });

  it('are revoked one by one, at once, except the main one', async () => {
    const { market, portal } = await scene();
    const made = await portal.data(createKey, 'create_key', { name: 'Old site' });
    expect(await posts(market, made.api_key)).toBe(201);
    expect((await portal.call('revoke_key', { key_id: made.key.id })).status).toBe(200);
    expect(await posts(market, made.api_key)).toBe(401);
    const [main] = await list(portal);
    expect(codeOf(await portal.call('revoke_key', { key_id: main?.id }))).toEqual([
      409,
      'conflict',
    ]);
    expect(await posts(market, market.account.suppliers[0]?.key ?? '')).toBe(201);
  });

  it("are both accepted during a rotation's overlap; without one the old key is refused", async () => {
    const { market, portal } = await scene();
    const old = market.account.suppliers[0]?.key ?? '';
    const [main] = await list(portal);
    const input = { key_id: main?.id, overlap_hours: 24 };
    const rotated = await portal.data(rotateKey, 'rotate_key', input);
    expect(Date.parse(rotated.previous_until ?? '')).toBeGreaterThan(Date.now() + 86_000_000);
    expect([await posts(market, old), await posts(market, rotated.api_key)]).toEqual([201, 201]);
    expect((await list(portal)).map(({ kind }) => kind)).toEqual(['previous', 'main']);
    expect(codeOf(await portal.call('rotate_key', input))).toEqual([409, 'conflict']);
    const further = await portal.data(createKey, 'create_key', { name: 'App' });
    const again = await portal.data(rotateKey, 'rotate_key', {
      key_id: further.key.id,
      overlap_hours: 0,
    });
    expect(again).toMatchObject({ previous_until: null, key: { name: 'App', kind: 'additional' } });
    expect(await posts(market, further.api_key)).toBe(401);
    expect(await posts(market, again.api_key)).toBe(201);
  });

  it('that it created stay valid when the operator rotates the main key, unless the operator ends them too', async () => {
    const { market, portal } = await scene();
    const made = await portal.data(createKey, 'create_key', { name: 'App' });
    const { collections, keyring } = testbed;
    await rotateSupplierKey(
      accountOf({ collections, keyring }, market.account.orgId),
      portal.supplier_id,
      { overlapHours: 0 },
    );
    expect(await posts(market, made.api_key)).toBe(201);
    expect((await list(portal)).map(({ kind }) => kind).toSorted()).toEqual(['additional', 'main']);
    await rotateSupplierKey(
      accountOf({ collections, keyring }, market.account.orgId),
      portal.supplier_id,
      { overlapHours: 0, endsFurther: true },
    );
    expect(await posts(market, made.api_key)).toBe(401);
  });

  it('are limited to ten further ones, also when created concurrently', async () => {
    const { portal } = await scene();
    const replies = await Promise.all(
      Array.from({ length: 14 }, (_, n) => portal.call('create_key', { name: `Key ${n}` })),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(await list(portal)).toHaveLength(11);
  });

  it('are hidden from other suppliers, and changed only by admins with a recent sign-in', async () => {
    const { market, portal } = await scene();
    const stranger = await openSupplier(testbed, market, { n: 1 });
    const [main] = await list(portal);
    for (const call of ['rotate_key', 'revoke_key'])
      expect(codeOf(await stranger.call(call, { key_id: main?.id }))).toEqual([404, 'not_found']);
    const stale = await openSupplier(testbed, market, { member: { isStale: true } });
    const viewer = await openSupplier(testbed, market, { member: { role: 'viewer' } });
    for (const one of [stale, viewer])
      expect(codeOf(await one.call('create_key', { name: 'X' }))).toEqual([403, 'forbidden']);
    expect(await list(viewer)).toHaveLength(1);
  });
});
