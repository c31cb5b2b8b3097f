/** Setting up ping-post. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openHeaders } from '../../../../src/account/buyers/sealedHeaders.js';
import { planId, type Plan } from '../../../../src/account/rules/plan.js';
import { keyring } from '../../../account/values.js';
import {
  faultsOf,
  setUp,
  startActionsApi,
  type ActionsApi,
  type Row,
} from '../../../support/api.js';

let api: ActionsApi;
beforeAll(async () => {
  api = await startActionsApi();
});
afterAll(() => api.stop());

const planOf = async (campaign_id: string): Promise<Plan> => {
  const campaign = await api.collections.campaigns.findOne({ _id: campaign_id });
  const _id = planId(campaign_id, campaign?.plan_version ?? 0);
  const plan = await api.collections.plans.findOne({ _id });
  if (!plan) throw new Error(`There is no plan ${_id}.`);
  return plan;
};

describe('configure_ping_post', () => {
  it('changes only the settings given, shows all of them, and says when pings are not answered yet', async () => {
    const org = await api.org();
    const { campaign } = await setUp(api, org);
    const campaign_id = campaign.id;
    const first = await api.done<Row>(org, 'configure_ping_post', {
      campaign_id,
      margin: { percent: 15 },
      minBid: 5,
      max_bid: 60.5,
    });
    expect(first).toMatchObject({
      note: expect.stringContaining('DIRECT_POST'),
      ping: { margin: { percent: 15 }, min_bid: 5, max_bid: 60.5, deadline_ms: 750 },
    });
    await api.done(org, 'update_campaign', { campaign_id, routing_method: 'PING_POST' });
    const change = { campaign_id, max_bid: null, on_difference: 'warn', reveal_buyers: false };
    const second = await api.done<Row>(org, 'configure_ping_post', change);
    const settings = {
      margin: { percent: 15 },
      min_bid: 5,
      max_bid: null,
      bid_decimals: 2,
      reveal_buyers: false,
      deadline_ms: 750,
      check_duplicates: true,
      on_difference: 'WARN',
    };
    expect(second).toMatchObject({ note: null, ping: settings });
    expect(await api.done(org, 'get_campaign', { campaign_id })).toMatchObject({ ping: settings });
    expect((await planOf(campaign_id)).ping).toEqual({ ...settings, min_bid: 5_000_000 });
  });

  it('reports every problem, and refuses a change from an old version', async () => {
    const org = await api.org();
    const { campaign } = await setUp(api, org);
    const campaign_id = campaign.id;
    const wrong = { campaign_id, margin: { percent: -1 }, deadline_ms: 5_000, bid_decimals: 9 };
    expect(await faultsOf(api, org, 'configure_ping_post', wrong)).toEqual([
      422,
      'margin percent must be a number, 0 to 100, with at most 4 decimals; -1 is not.',
      'bid_decimals must be a whole number, 0 to 4.',
      'deadline_ms must be a whole number, 100 to 3000.',
    ]);
    expect(await faultsOf(api, org, 'configure_ping_post', { campaign_id, margin: 15 })).toEqual([
      422,
      'margin must be an object.',
    ]);
    const { json } = await api.call(await org.sharedKey(), 'configure_ping_post', {
      campaign_id,
      min_bid: 1,
      expected_version: 1,
    });
    expect(json).toMatchObject({ error: 'version_conflict' });
  });

  it('is shown in the history, and can be reverted', async () => {
    const org = await api.org();
    const { campaign, buyer, supplier } = await setUp(api, org);
    const campaign_id = campaign.id;
    const before = await planOf(campaign_id);
    await api.done(org, 'configure_ping_post', { campaign_id, margin: { fixed: 2.5 } });
    await api.done(org, 'update_campaign_buyer', {
      campaign_id,
      buyer_id: buyer.id,
      margin: { percent: 5 },
      daily_ping_cap: 9,
    });
    await api.done(org, 'update_campaign_supplier', {
      campaign_id,
      supplier_id: supplier.id,
      daily_ping_cap: 1_000,
    });
    const changed = await planOf(campaign_id);
    expect(changed.buyers[0]).toMatchObject({ margin: { percent: 5 }, daily_ping_cap: 9 });
    const { versions } = await api.done<{ versions: { changes: object[] }[] }>(
      ...([org, 'get_plan_history', { campaign_id, limit: 3 }] as const),
    );
    expect(versions.map(({ changes }) => changes)).toEqual([
      [{ path: 'suppliers["Search"].daily_ping_cap', from: null, to: 1_000 }],
      [
        { path: 'buyers["Acme"].margin', from: null, to: { percent: 5 } },
        { path: 'buyers["Acme"].daily_ping_cap', from: null, to: 9 },
      ],
      [
        { path: 'ping.margin.percent', from: 0, to: null },
        { path: 'ping.margin.fixed', from: null, to: 2.5 },
      ],
    ]);
    const back = { campaign_id, version: before.version };
    expect(await api.done(org, 'revert_plan', back)).toMatchObject({ still_different: [] });
    const same = ({ _id, version, published, ...said }: Plan) => ({
      ...said,
      of: [_id, version, published].length,
    });
    expect(same(await planOf(campaign_id))).toEqual(same(before));
    const again = { campaign_id, version: changed.version };
    expect(await api.done(org, 'revert_plan', again)).toMatchObject({ still_different: [] });
    expect(same(await planOf(campaign_id))).toEqual(same(changed));
  });
});

describe('set_buyer_ping', () => {
  it('is in every plan of the buyer while it is enabled, and hides header values', async () => {
    const org = await api.org();
    const { campaign, buyer } = await setUp(api, org);
    const buyer_id = buyer.id;
    const url = 'https://buyer.example/pings';
    const input = { buyer_id, url, fields: 'zip_code', headers: { 'X-Key': 'secret' } };
    const view = await api.done<Row>(org, 'set_buyer_ping', input);
    const shown = {
      enabled: true,
      url,
      timeout_ms: 500,
      fields: ['zip_code'],
      response: null,
      headers: { 'X-Key': '[hidden]' },
    };
    expect(view.ping).toEqual(shown);
    expect(await api.done(org, 'get_buyer', { buyer_id })).toMatchObject({ ping: shown });
    const ping = (await planOf(campaign.id)).buyers[0]?.ping;
    expect({ ...ping, headers: openHeaders(ping?.headers ?? {}, buyer_id, keyring) }).toEqual({
      url,
      timeout_ms: 500,
      fields: ['zip_code'],
      headers: { 'X-Key': 'secret' },
    });
    const history = { campaign_id: campaign.id, limit: 1 };
    const told = JSON.stringify(await api.done(org, 'get_plan_history', history));
    expect(told).toContain('"path":"buyers[\\"Acme\\"].ping"');
    expect(told).not.toContain('secret');
    const off = await api.done<Row>(org, 'set_buyer_ping', { buyer_id, enabled: false });
    expect(off.ping).toEqual({ ...shown, enabled: false });
    expect((await planOf(campaign.id)).buyers[0]).not.toHaveProperty('ping');
  });

  it('reports every problem', async () => {
    const org = await api.org();
    const { buyer } = await setUp(api, org);
    const input = { buyer_id: buyer.id, fields: ['zip'], headers: { Host: 'x' } };
    expect(await faultsOf(api, org, 'set_buyer_ping', input)).toEqual([
      422,
      'url must be the URL that is asked for bids.',
      expect.stringContaining('fields names "zip", which is not a field of a campaign.'),
      'headers: Host is set by the service; leave it out.',
    ]);
  });
});

describe('the rate of pings', () => {
  it('is 500 a second, and set like that of leads', async () => {
    const org = await api.org();
    const { supplier } = await setUp(api, org);
    const supplier_id = supplier.id;
    const usual = { per_second: 500, burst_per_second: 1_000, burst_seconds: 10 };
    expect(await api.done(org, 'get_supplier', { supplier_id })).toMatchObject({
      ping_rate_limit: usual,
    });
    const change = { supplier_id, ping_rate_limit: { per_second: 2_000, burst_per_second: 2_000 } };
    expect(await api.done(org, 'update_supplier', change)).toMatchObject({
      rate_limit: { per_second: 100 },
      ping_rate_limit: { ...usual, per_second: 2_000, burst_per_second: 2_000 },
    });
    const wrong = { supplier_id, ping_rate_limit: { burst_per_second: 7 } };
    expect(await faultsOf(api, org, 'update_supplier', wrong)).toEqual([
      422,
      'ping_rate_limit.burst_per_second must be a whole number, 2000 to 100000.',
    ]);
  });
});
