import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  getWebhook,
  rotateWebhookSecret,
  setWebhook,
  testWebhook,
} from '../../../../src/api/partner/supplier/webhook.js';
import { isSigned } from '../../../../src/platform/security/signatures.js';
import { DOWN, NO, YES, startFakeBuyer, type FakeBuyer } from '../../../support/fakeBuyer.js';
import { startTestbed, type Market, type Testbed } from '../../../support/testbed.js';
import { waitFor } from '../../../support/waitFor.js';
import { codeOf, openSupplier, type SupplierPortal } from './scene.js';

let testbed: Testbed;
beforeAll(async () => {
  testbed = await startTestbed();
});
afterAll(() => testbed.stop());

describe('the webhook of a supplier', () => {
  let receiver: FakeBuyer;
  let market: Market;
  let portal: SupplierPortal;
  beforeEach(async () => {
    receiver = await startFakeBuyer();
    market = await testbed.market({
      suppliers: 2,
      buyers: { 'Secret-Buyer': { price: 7_765.43, when_unavailable: 'WAIT', answer: () => DOWN } },
    });
    portal = await openSupplier(testbed, market);
  });
  afterEach(() => receiver.stop());

  const set = (change: object = {}) =>
    portal.data(setWebhook, 'set_webhook', { url: `${receiver.url}/hook`, ...change });
  const get = () => portal.data(getWebhook, 'get_webhook');
  const told = () => receiver.requests.map(({ body }) => body);

  it('receives a lead answered pending once it is sold, signed, without price or fields', async () => {
    const { secret } = await set({ headers: { 'X-Own': 'mine' } });
    const pending = await market.post();
    const others = await market.post({}, { supplier: 1 });
    expect([pending.data?.delivery, others.data?.delivery]).toEqual(['pending', 'pending']);
    market.behave('Secret-Buyer', () => YES);
    await waitFor(async () => (await market.lead(others.id)).status === 'ACCEPTED');
    await waitFor(() => receiver.requests.length > 0);
    const atOnce = await market.post();
    await waitFor(async () => (await market.lead(atOnce.id)).status === 'ACCEPTED');
    const [request] = receiver.requests;
    expect(request?.body).toMatchObject({
      type: 'lead.accepted',
      data: { id: pending.id, status: 'ACCEPTED', delivery: 'delivered' },
    });
    expect(request?.headers['x-own']).toBe('mine');
    const signature = String(request?.headers['x-leaddistro-signature']);
    expect(isSigned(secret ?? '', JSON.stringify(request?.body), signature)).toBe(true);
    expect(JSON.stringify(told())).not.toMatch(/7765\.?43|Secret-Buyer|Jane|@example.com/);
    const shown = await waitFor(async () => {
      const webhook = await get();
      return webhook?.attempts[0]?.state === 'delivered' && webhook;
    });
    expect(shown).toMatchObject({
      status: 'active',
      waiting: 0,
      headers: { 'X-Own': '[hidden]' },
      attempts: [{ lead_id: pending.id, http_status: 200, attempts: 1 }],
    });
    expect(told()).toHaveLength(1);
  });

  it('receives one that stayed unsold in the end', async () => {
    await set();
    const { id } = await market.post();
    market.behave('Secret-Buyer', () => NO);
    await waitFor(() => receiver.requests.length > 0);
    expect(told()).toMatchObject([{ type: 'lead.expired', data: { id, status: 'EXPIRED' } }]);
    expect((await market.lead(id)).status).toBe('EXPIRED');
  });

  it('is tested with a sample lead, and reports what failed', async () => {
    await set();
    const fine = await portal.data(testWebhook, 'test_webhook');
    expect(fine).toMatchObject({ ok: true, http_status: 200, reason: null });
    expect(told()).toEqual([fine.sent]);
    expect(fine.sent).toMatchObject({
      data: { is_test: true, campaign_id: market.account.campaignId, buyer_id: null },
    });
    receiver.behave(() => ({ status: 500 }));
    expect(await portal.data(testWebhook, 'test_webhook')).toMatchObject({
      ok: false,
      http_status: 500,
    });
  });

  it('can be paused, get a new secret, and be removed with its waiting events', async () => {
    expect(await get()).toBeNull();
    expect(codeOf(await portal.call('rotate_webhook_secret'))).toEqual([404, 'not_found']);
    expect((await set({ status: 'paused' })).secret).toMatch(/^[0-9a-f]{64}$/);
    expect((await set({ status: 'active' })).secret).toBeNull();
    const rotated = await portal.data(rotateWebhookSecret, 'rotate_webhook_secret', {
      overlap_hours: 2,
    });
    expect((await get())?.previous_secret_until).toBe(rotated.previous_until);
    await portal.call('remove_webhook');
    expect(await get()).toBeNull();
    const wants = await testbed.collections.eventWants.findOne({ _id: market.account.orgId });
    expect(wants?.types).toEqual([]);
  });

  it('is hidden from other suppliers and viewers, and refuses invalid addresses', async () => {
    await set();
    const stranger = await openSupplier(testbed, market, { n: 1 });
    expect(await stranger.data(getWebhook, 'get_webhook')).toBeNull();
    expect(codeOf(await stranger.call('test_webhook'))).toEqual([404, 'not_found']);
    const viewer = await openSupplier(testbed, market, { member: { role: 'viewer' } });
    const url = `${receiver.url}/other`;
    expect(codeOf(await viewer.call('set_webhook', { url }))).toEqual([403, 'forbidden']);
    const wrong = await portal.call('set_webhook', { url: 'ftp://files.example' });
    expect(codeOf(wrong)).toEqual([422, 'invalid_input']);
    expect(wrong.json?.details).toMatchObject([{ path: expect.stringContaining('url') }]);
  });

  it('is listed among the automations of its organization, with its supplier', async () => {
    await set();
    const stored = await testbed.collections.automations
      .find({ org_id: market.account.orgId })
      .toArray();
    expect(stored.map(({ supplier_id, trigger }) => [supplier_id, trigger])).toEqual([
      [portal.supplier_id, 'lead.accepted'],
      [portal.supplier_id, 'lead.expired'],
    ]);
  });
});
