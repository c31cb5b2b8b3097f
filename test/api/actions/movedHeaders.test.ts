/** A caller that may change an address need not know the keys sent there, and cannot redirect them elsewhere. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openHeaders } from '../../../src/account/buyers/sealedHeaders.js';
import type { ActionName } from '../../../src/api/actions/names.js';
import { keyring } from '../../account/values.js';
import { startActionsApi, type ActionsApi, type Org } from '../../support/api.js';

let api: ActionsApi;
beforeAll(async () => {
  api = await startActionsApi();
});
afterAll(() => api.stop());

const URL = 'https://buyer.example/leads';
const THEIRS = 'https://thief.example/leads';
const HEADERS = { 'X-Key': 'own-canary' };
const HIDDEN = { 'X-Key': '[hidden]' };

async function account() {
  const org = await api.org();
  const made = async (action: ActionName, input: object) =>
    (await api.done<{ id: string }>(org, action, input)).id;
  const campaign_id = await made('create_campaign', { name: 'Auto' });
  const delivery = { url: URL, headers: HEADERS };
  const buyer_id = await made('create_buyer', { name: 'Acme', delivery });
  await api.done(org, 'add_buyer_to_campaign', { campaign_id, buyer_id });
  return { org, campaign_id, buyer_id };
}

/** The status, and each detail with its path and code. */
async function refusalOf(org: Org, action: ActionName, input: object) {
  const { status, json } = await api.call(await org.sharedKey(), action, input);
  const { details = [] } = (json ?? {}) as { details?: { path: string; code: string }[] };
  return [status, ...details.map(({ path, code }) => `${path} ${code}`)];
}

const deliveryNow = async (campaign_id: string) => {
  const plan = await api.collections.plans.findOne({ campaign_id }, { sort: { version: -1 } });
  const { buyer_id = '', delivery } = plan?.buyers[0] ?? {};
  if (delivery?.method !== 'WEBHOOK') throw new Error('The buyer has no webhook');
  return { url: delivery.url, headers: openHeaders(delivery.headers, buyer_id, keyring) };
};

describe('an address at another origin', () => {
  it('is refused by set_buyer_delivery unless each header is given again', async () => {
    const { org, campaign_id, buyer_id } = await account();
    for (const headers of [{}, { headers: HIDDEN }])
      expect(
        await refusalOf(org, 'set_buyer_delivery', { buyer_id, url: THEIRS, ...headers }),
      ).toEqual([422, 'headers required']);
    expect(await deliveryNow(campaign_id)).toEqual({ url: URL, headers: HEADERS });
    await api.done(org, 'set_buyer_delivery', { buyer_id, url: `${URL}/new` });
    expect(await deliveryNow(campaign_id)).toEqual({ url: `${URL}/new`, headers: HEADERS });
    await api.done(org, 'set_buyer_delivery', { buyer_id, url: THEIRS, headers: {} });
    expect(await deliveryNow(campaign_id)).toEqual({ url: THEIRS, headers: {} });
  });

  it('gets no header after a change to another method', async () => {
    const { org, campaign_id, buyer_id } = await account();
    await api.done(org, 'set_buyer_delivery', { buyer_id, method: 'STORE' });
    const back = { buyer_id, url: THEIRS };
    expect(await refusalOf(org, 'set_buyer_delivery', { ...back, headers: HIDDEN })).toEqual([
      422,
      'headers required',
    ]);
    await api.done(org, 'set_buyer_delivery', back);
    expect(await deliveryNow(campaign_id)).toEqual({ url: THEIRS, headers: {} });
  });

  it('is refused by set_buyer_ping unless each header is given again', async () => {
    const { org, buyer_id } = await account();
    await api.done(org, 'set_buyer_ping', { buyer_id, url: URL, headers: HEADERS });
    for (const headers of [{}, { headers: HIDDEN }])
      expect(await refusalOf(org, 'set_buyer_ping', { buyer_id, url: THEIRS, ...headers })).toEqual(
        [422, 'headers required'],
      );
    await api.done(org, 'set_buyer_ping', { buyer_id, url: THEIRS, headers: { 'X-Key': 'new' } });
  });

  it('is refused by update_automation unless each header is given again', async () => {
    const { org } = await account();
    const { id: automation_id } = await api.done<{ id: string }>(org, 'create_automation', {
      trigger: 'lead.accepted',
      action: 'WEBHOOK',
      target: { url: URL, headers: HEADERS },
    });
    for (const headers of [{}, { headers: HIDDEN }]) {
      const input = { automation_id, target: { url: THEIRS, ...headers } };
      expect(await refusalOf(org, 'update_automation', input)).toEqual([
        422,
        'target.headers required',
      ]);
    }
    await api.done(org, 'update_automation', { automation_id, target: { url: `${URL}/new` } });
    const moved = { url: THEIRS, headers: {} };
    expect(
      await api.done(org, 'update_automation', { automation_id, target: moved }),
    ).toMatchObject({ target: moved });
  });

  it('is refused for one campaign unless each header is given again', async () => {
    const { org, campaign_id, buyer_id } = await account();
    const ids = { campaign_id, buyer_id };
    for (const headers of [{}, { headers: HIDDEN }]) {
      const delivery = { url: THEIRS, ...headers };
      expect(await refusalOf(org, 'update_campaign_buyer', { ...ids, delivery })).toEqual([
        422,
        'delivery.headers required',
      ]);
    }
    await api.done(org, 'update_campaign_buyer', {
      ...ids,
      delivery: { url: THEIRS, headers: {} },
    });
    await api.done(org, 'set_buyer_delivery', { buyer_id, headers: { 'X-Key': 'later' } });
    expect(await deliveryNow(campaign_id)).toEqual({ url: THEIRS, headers: {} });
  });

  it("gets none of the buyer's later headers where an earlier release stored it alone", async () => {
    const { org, campaign_id, buyer_id } = await account();
    const delivery = { method: 'WEBHOOK' as const, url: THEIRS };
    await api.collections.campaignBuyers.updateOne({ buyer_id }, { $set: { delivery } });
    await api.done(org, 'set_buyer_delivery', { buyer_id, headers: { 'X-Key': 'later' } });
    expect(await deliveryNow(campaign_id)).toEqual({ url: THEIRS, headers: {} });
  });

  it("is refused for a buyer while a campaign has headers of its own for the buyer's address", async () => {
    const { org, campaign_id, buyer_id } = await account();
    const delivery = { headers: { 'X-Key': 'link-canary' } };
    await api.done(org, 'update_campaign_buyer', { campaign_id, buyer_id, delivery });
    const moved = { buyer_id, url: THEIRS, headers: {} };
    const { status, json } = await api.call(await org.sharedKey(), 'set_buyer_delivery', moved);
    expect([status, json?.message]).toEqual([
      422,
      expect.stringContaining('its headers would be sent to another origin'),
    ]);
    await api.done(org, 'set_buyer_delivery', { ...moved, url: `${URL}/new` });
    expect(await deliveryNow(campaign_id)).toEqual({ url: `${URL}/new`, ...delivery });
  });
});

describe('reverting to an earlier version', () => {
  it("brings no header of a campaign's own to an address that the buyer has moved to since", async () => {
    const { org, campaign_id, buyer_id } = await account();
    const ids = { campaign_id, buyer_id };
    const delivery = { headers: { 'X-Key': 'link-canary' } };
    const link = await api.done<object>(org, 'update_campaign_buyer', { ...ids, delivery });
    expect(link).toMatchObject({ delivery: { headers: HIDDEN } });
    await api.done(org, 'update_campaign_buyer', { ...ids, delivery: null });
    await api.done(org, 'set_buyer_delivery', { buyer_id, url: THEIRS, headers: {} });
    const { status, json } = await api.call(await org.sharedKey(), 'revert_plan', {
      campaign_id,
      version: 3,
    });
    expect([status, json?.error, json?.message]).toEqual([
      400,
      'action_refused',
      expect.stringContaining('address now has another origin'),
    ]);
    expect(await deliveryNow(campaign_id)).toEqual({ url: THEIRS, headers: {} });
    await api.done(org, 'set_buyer_delivery', { buyer_id, url: URL, headers: {} });
    await api.done(org, 'revert_plan', { campaign_id, version: 3 });
    expect(await deliveryNow(campaign_id)).toEqual({ url: URL, ...delivery });
  });

  it("brings an earlier address, and none of the buyer's present headers with it", async () => {
    const { org, campaign_id, buyer_id } = await account();
    const ids = { campaign_id, buyer_id };
    const there = { url: THEIRS, headers: {} };
    await api.done(org, 'update_campaign_buyer', { ...ids, delivery: there });
    await api.done(org, 'update_campaign_buyer', { ...ids, delivery: null });
    await api.done(org, 'set_buyer_delivery', { buyer_id, headers: { 'X-Key': 'later' } });
    await api.done(org, 'revert_plan', { campaign_id, version: 3 });
    expect(await deliveryNow(campaign_id)).toEqual(there);
  });
});
