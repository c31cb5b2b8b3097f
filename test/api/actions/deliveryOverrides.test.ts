/** The target of a campaign's leads is shown without secrets, and set only by callers that may set it. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openHeaders } from '../../../src/account/buyers/sealedHeaders.js';
import type { Permission } from '../../../src/account/store/keyDocs.js';
import { keyring } from '../../account/values.js';
import { readDocument } from '../../support/contract.js';
import { startActionsApi, type ActionsApi, type Org } from '../../support/api.js';

let api: ActionsApi;
beforeAll(async () => {
  api = await startActionsApi({ policy: { allowPrivate: true, mail: true } });
});
afterAll(() => api.stop());

const OWN = { url: 'https://buyer.example/leads', headers: { 'X-Key': 'own-secret' } };
const OTHER = { url: 'https://auto.example/leads', headers: { 'X-Key': 'other-secret' } };

async function linked(org: Org, delivery?: object) {
  const { id: campaign_id } = await api.done<{ id: string }>(org, 'create_campaign', {
    name: 'Auto',
  });
  const { id: buyer_id } = await api.done<{ id: string }>(org, 'create_buyer', {
    name: 'Acme',
    delivery: OWN,
  });
  const ids = { campaign_id, buyer_id };
  await api.done(org, 'add_buyer_to_campaign', { ...ids, ...(delivery ? { delivery } : {}) });
  return ids;
}
const linkOf = (ids: { campaign_id: string; buyer_id: string }) =>
  api.collections.campaignBuyers.findOne(ids);

describe('the delivery of a campaign', () => {
  it('is shown with its headers hidden, by the link, the campaign and the buyer', async () => {
    const org = await api.org();
    const ids = await linked(org, OTHER);
    const shown = { method: 'WEBHOOK', url: OTHER.url, headers: { 'X-Key': '[hidden]' } };
    const campaign = await api.done<{ buyers: object[] }>(org, 'get_campaign', {
      campaign_id: ids.campaign_id,
    });
    expect(campaign.buyers).toMatchObject([{ delivery: shown }]);
    const buyer = await api.done(org, 'get_buyer', { buyer_id: ids.buyer_id });
    expect(buyer).toMatchObject({
      delivery: { url: OWN.url },
      delivery_overrides: [
        { campaign_id: ids.campaign_id, settings: ['headers', 'method', 'url'] },
      ],
    });
    const kept = await api.done(org, 'update_campaign_buyer', {
      ...ids,
      delivery: { headers: { 'x-key': '[hidden]' } },
    });
    expect(kept).toMatchObject({ delivery: { url: OTHER.url, headers: { 'x-key': '[hidden]' } } });
    const sealed = (await linkOf(ids))?.delivery?.headers ?? {};
    expect(openHeaders(sealed, ids.buyer_id, keyring)).toEqual({ 'x-key': 'other-secret' });
    const audit = await api.done(org, 'list_audit', {});
    const history = await api.done(org, 'get_plan_history', { campaign_id: ids.campaign_id });
    expect(JSON.stringify([audit, history])).not.toContain('-secret');
  });

  it('is absent until it is set', async () => {
    const org = await api.org();
    const ids = await linked(org);
    const link = await api.done(org, 'update_campaign_buyer', { ...ids, price: 3 });
    expect(link).toMatchObject({ delivery: null });
    const buyer = await api.done(org, 'get_buyer', { buyer_id: ids.buyer_id });
    expect(buyer).toMatchObject({ delivery_overrides: [] });
  });

  it('needs buyers:write, and all other terms do not', async () => {
    const org = await api.org();
    const ids = await linked(org);
    const before = await linkOf(ids);
    const by = async (permissions: Permission[], action: 'update_campaign_buyer', input: object) =>
      api.call(await org.sharedKey(permissions), action, { ...ids, ...input });
    for (const delivery of [OTHER, null]) {
      const refused = await by(['campaigns:write'], 'update_campaign_buyer', { delivery });
      expect(refused).toMatchObject({
        status: 403,
        json: { error: 'forbidden', required: 'buyers:write' },
      });
    }
    expect(await linkOf(ids)).toEqual(before);
    expect((await by(['campaigns:write'], 'update_campaign_buyer', { price: 5 })).status).toBe(200);
    const both: Permission[] = ['campaigns:write', 'buyers:write'];
    expect((await by(both, 'update_campaign_buyer', { delivery: OTHER })).status).toBe(200);
  });

  it('is reverted only by a key that may set it', async () => {
    const org = await api.org();
    const ids = await linked(org);
    const { campaign_id } = ids;
    const { version } = await api.done<{ version: number }>(org, 'get_campaign', { campaign_id });
    await api.done(org, 'update_campaign_buyer', { ...ids, delivery: OTHER });
    const revert = async (permissions: Permission[]) =>
      api.call(await org.sharedKey(permissions), 'revert_plan', { campaign_id, version });
    expect(await revert(['campaigns:write'])).toMatchObject({
      status: 403,
      json: { required: 'buyers:write' },
    });
    expect(await linkOf(ids)).toMatchObject({ delivery: { url: OTHER.url } });
    expect((await revert(['campaigns:write', 'buyers:write'])).status).toBe(200);
    expect(await linkOf(ids)).toMatchObject({ delivery: null });
    // A version with the same delivery can be restored by any caller that may change the campaign.
    expect((await revert(['campaigns:write'])).status).toBe(200);
  });

  it.each([
    [{ format: 'form' }, { method: 'EMAIL', to: 'leads@buyer.example' }, /delivery\.url must/],
    [{ template: { a: { b: '{{email}}' } } }, { format: 'form' }, /of a form must be/],
  ])('is not reverted where it would not fit the current delivery', async (over, own, text) => {
    const org = await api.org();
    const ids = await linked(org, over);
    const { campaign_id, buyer_id } = ids;
    const { version } = await api.done<{ version: number }>(org, 'get_campaign', { campaign_id });
    await api.done(org, 'update_campaign_buyer', { ...ids, delivery: null });
    await api.done(org, 'set_buyer_delivery', { buyer_id, ...own });
    const revert = async () =>
      api.call(await org.sharedKey(), 'revert_plan', { campaign_id, version });
    const refused = await revert();
    expect(refused).toMatchObject({ status: 400, json: { error: 'action_refused' } });
    expect(refused.json?.message).toMatch(text);
    expect(await linkOf(ids)).toMatchObject({ delivery: null });
    await api.done(org, 'set_buyer_delivery', { buyer_id, ...OWN, format: 'json' });
    expect((await revert()).status).toBe(200);
    expect(await linkOf(ids)).toMatchObject({ delivery: over });
  });

  it.each([
    [{ delivery: { subject: 'x' } }, 'delivery.subject', /not a setting of the method WEBHOOK/],
    [{ delivery: { max_concurrent: 2 } }, 'delivery.max_concurrent', /one queue for all/],
    [{ delivery: { url: 5 } }, 'delivery.url', /text|string/],
  ])('is refused when it is wrong: %j', async (input, path, message) => {
    const org = await api.org();
    const ids = await linked(org);
    const reply = await api.call(await org.sharedKey(), 'update_campaign_buyer', {
      ...ids,
      ...input,
    });
    expect(reply).toMatchObject({ status: 422, json: { details: [{ path }] } });
    expect(JSON.stringify(reply.json)).toMatch(message);
  });

  it.each(['add_buyer_to_campaign', 'update_campaign_buyer'])(
    'is described by %s with the settings that it cannot have',
    (action) => {
      const { requestBody } = readDocument().paths[`/api/v1/actions/${action}`]!.post!;
      expect(requestBody?.content['application/json']?.schema).toMatchObject({
        properties: {
          delivery: {
            description: expect.stringContaining(
              'max_concurrent and max_per_second cannot be overridden',
            ),
          },
        },
      });
    },
  );
});

describe("a change of the buyer's own delivery", () => {
  it.each([
    [
      OTHER,
      { method: 'STORE' },
      /"Auto" overrides .*url.* belong to the method WEBHOOK, not STORE/,
    ],
    [{ template: { a: { b: '{{email}}' } } }, { format: 'form' }, /"Auto" .* of a form must be/],
  ])('is refused where the overrides of a campaign would not fit it', async (over, own, text) => {
    const org = await api.org();
    const ids = await linked(org, over);
    const { buyer_id } = ids;
    const before = await api.collections.buyers.findOne({ _id: buyer_id });
    const reply = await api.call(await org.sharedKey(), 'set_buyer_delivery', { buyer_id, ...own });
    expect(reply.status).toBe(422);
    expect(JSON.stringify(reply.json).replaceAll('\\"', '"')).toMatch(text);
    expect(await api.collections.buyers.findOne({ _id: buyer_id })).toEqual(before);
    await api.done(org, 'update_campaign_buyer', { ...ids, delivery: null });
    await api.done(org, 'set_buyer_delivery', { buyer_id, ...own });
  });

  it('applies together with the overrides of a campaign, in a new version', async () => {
    const org = await api.org();
    const ids = await linked(org, { timeout_ms: 800 });
    await api.done(org, 'set_buyer_delivery', { buyer_id: ids.buyer_id, method: 'STORE' });
    const plans = await api.collections.plans.find({ campaign_id: ids.campaign_id }).toArray();
    const latest = plans.toSorted((a, b) => b.version - a.version)[0];
    expect(latest?.buyers).toMatchObject([
      {
        delivery: { method: 'STORE', timeout_ms: 800 },
        delivery_overrides: ['timeout_ms'],
      },
    ]);
  });
});
