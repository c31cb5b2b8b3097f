/** Buyers and suppliers as their pages show them: how each does today, its campaigns, and its delivery tried out. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Lead } from '../../../../src/leads/rules/lead.js';
import {
  setUp,
  startActionsApi,
  type ActionsApi,
  type Org,
  type Row,
} from '../../../support/api.js';
import { hashKey } from '../../../../src/platform/security/keys.js';
import { openPortal } from '../../../support/portal.js';
import { aLead, aRow } from '../../../support/storedRows.js';

/** 02:00 in UTC: the day before in New York, at 21:00. */
const NOW = new Date('2026-11-21T02:00:00Z');
const hoursAgo = (hours: number) => new Date(Number(NOW) - hours * 3_600_000);
const WEBHOOK = { method: 'WEBHOOK', url: 'https://buyer.example/leads' };

let api: ActionsApi;
let org: Org;
let place: { campaign_id: string; supplier_id: string; buyer_id: string };
beforeAll(async () => {
  api = await startActionsApi({ clock: { now: () => NOW, monotonic: () => 0, random: () => 0 } });
  org = await api.org();
  const { campaign, buyer, supplier } = await setUp(api, org);
  place = { campaign_id: campaign.id, supplier_id: supplier.id, buyer_id: buyer.id };
});
afterAll(() => api.stop());

interface WithFigures extends Row {
  figures?: Record<string, unknown>;
}
const list = (side: 'buyers' | 'suppliers', input: object = {}) =>
  api.done<WithFigures[]>(org, `list_${side}`, { figures: true, ...input });

describe('how buyers and suppliers do', () => {
  beforeAll(async () => {
    const { collections } = api;
    const lead = (status: Lead['status'], hours: number, more: Partial<Lead> = {}) => {
      const { campaign_id, supplier_id } = place;
      const of = { org_id: org.id, campaign_id, supplier_id, uncounted: true as const, changes: 1 };
      return aLead({ ...of, status, created_at: hoursAgo(hours), ...more });
    };
    const { buyer_id } = place;
    const sale = { buyer_id, attempt: 1, price: 10_000_000, cost: 4_000_000, at: NOW };
    const sold = { buyer_id, sales: [sale], price: 10_000_000, cost: 4_000_000 };
    await collections.leads.insertMany([
      lead('ACCEPTED', 20, sold),
      lead('DUPLICATE', 20.5),
      // Yesterday in New York, and eight days ago.
      lead('ACCEPTED', 22, sold),
      lead('UNMATCHED', 190),
      lead('ACCEPTED', 1, { is_test: true }),
    ]);
    const row = (state: 'accepted' | 'rejected' | 'parked' | 'unknown', hours: number) =>
      aRow({ org_id: org.id, ...place, state, created_at: hoursAgo(hours), due_at: NOW });
    await collections.deliveries.insertMany([
      row('accepted', 22),
      row('accepted', 20),
      row('rejected', 1),
      row('parked', 1),
      row('unknown', 2),
    ]);
    await collections.destinations.insertOne({
      _id: buyer_id,
      org_id: org.id,
      awake: false,
      awake_at: NOW,
      failures: 7,
      pauses: 2,
      paused_at: hoursAgo(4),
      open_until: hoursAgo(-1),
      retry_at: null,
    });
    await openPortal(collections, { org_id: org.id, side: 'buyer', party_id: buyer_id });
  });

  it('is in one call for buyers: breaker, queue, today by the clock of the account, portal', async () => {
    const [acme, ...others] = await list('buyers');
    expect(others).toEqual([]);
    expect(acme?.figures).toEqual({
      breaker: 'open',
      failures: 7,
      queue_held: false,
      waiting: 1,
      unknown: 1,
      today: { leads: 1, revenue: 10, cost: 4 },
      week: [0, 0, 0, 0, 0, 1, 1],
      last_lead_at: hoursAgo(20).toISOString(),
      portal_open: true,
      people: 1,
    });
  });

  it('is in one call for suppliers, with since when one is silent', async () => {
    const [search] = await list('suppliers');
    expect(search?.figures).toEqual({
      today: { leads: 2, accepted: 1, duplicate: 1, revenue: 10, cost: 4 },
      week: [0, 0, 0, 0, 0, 1, 2],
      last_lead_at: hoursAgo(20).toISOString(),
      silent_since: null,
      portal_open: false,
      people: 0,
    });
  });

  it('is all zero for one that is new, and absent without figures', async () => {
    const made = await api.done<Row>(org, 'create_buyer', { name: 'New (50 % off)' });
    const [only] = await list('buyers', { search: 'W (50 %' });
    expect(only).toMatchObject({
      id: made.id,
      figures: { breaker: 'closed', week: [0, 0, 0, 0, 0, 0, 0], last_lead_at: null, people: 0 },
    });
    expect(await list('buyers', { search: 'nobody' })).toEqual([]);
    expect((await list('buyers', { figures: false }))[0]?.figures).toBeUndefined();
  });

  it('needs the right to read reports', async () => {
    const key = await org.sharedKey(['buyers:read', 'suppliers:read']);
    for (const action of ['list_buyers', 'list_suppliers'] as const) {
      const { status, json } = await api.call(key, action, { figures: true });
      expect([status, json?.required]).toEqual([403, 'reports:read']);
      expect((await api.call(key, action, { search: 'a' })).status).toBe(200);
    }
  });

  it('is beside the campaigns of one, with its terms there', async () => {
    const { buyer_id, supplier_id, campaign_id } = place;
    const at = { campaign_id, campaign_name: 'Auto', campaign_status: 'ACTIVE', status: 'active' };
    expect((await api.done<Row>(org, 'get_buyer', { buyer_id })).campaigns).toEqual([
      { ...at, price: 25.5, priority: null, weight: 1 },
    ]);
    expect((await api.done<Row>(org, 'get_supplier', { supplier_id })).campaigns).toEqual([
      { ...at, cost_mode: 'FIXED', cost_per_lead: 12, revenue_share: 0 },
    ]);
  });
});

describe('the keys of a supplier', () => {
  it('show when each was last used, where that is known', async () => {
    const { id: supplier_id, api_key } = await api.done<Row>(org, 'create_supplier', { name: 'S' });
    const key = { _id: hashKey(String(api_key)) };
    const seen = async () => api.done<Row>(org, 'get_supplier', { supplier_id });
    const none = { key_last_used_at: null, previous_key_last_used_at: null, further_keys: [] };
    expect(await seen()).toMatchObject(none);
    const last_used_at = new Date('2026-03-05T12:00:00.000Z');
    await api.collections.apiKeys.updateOne(key, { $set: { last_used_at } });
    const used = last_used_at.toISOString();
    expect(await seen()).toMatchObject({ ...none, key_last_used_at: used });
    await api.done(org, 'rotate_supplier_key', { supplier_id, overlap_hours: 1 });
    expect(await seen()).toMatchObject({ ...none, previous_key_last_used_at: used });
  });
});

describe('a wrong response rule', () => {
  const ANSWER = { status: 200, body: '{"result":"OK","ref":"A-1","price":12.5}' };
  const WRONG = { accept_when: { path: 'status', equals: 'ok' } };
  const RIGHT = {
    accept_when: { path: 'result', equals: 'ok' },
    reference_path: 'ref',
    price_path: 'price',
  };
  const read = async (response?: object | null) => {
    const input = { buyer_id: place.buyer_id, answer: ANSWER, response };
    return (await api.done<{ reading: object }>(org, 'test_delivery', input)).reading;
  };
  const set = async (input: object) =>
    api.call(await org.sharedKey(), 'set_buyer_delivery', { buyer_id: place.buyer_id, ...input });

  it('is found by a pasted answer, and mended before it is saved', async () => {
    await set({ ...WEBHOOK, response: WRONG });
    expect(await read()).toMatchObject({ result: 'rejected', by: 'not_accepted' });
    expect(await read(RIGHT)).toMatchObject({
      result: 'accepted',
      by: 'accept_when',
      reference: 'A-1',
      price: 12.5,
    });
    expect(await read(null)).toMatchObject({ result: 'accepted', by: 'status' });
    expect(await read()).toMatchObject({ result: 'rejected' });
  });

  it('is refused by its place where it is no rule', async () => {
    const input = { buyer_id: place.buyer_id, answer: ANSWER, response: { accept_when: {} } };
    const { status, json } = await api.call(await org.sharedKey(), 'test_delivery', input);
    expect(status).toBe(422);
    expect(json?.details).toMatchObject([{ path: 'response.accept_when' }]);
  });

  it('is not replaced where another person has changed it since', async () => {
    expect((await set({ response: RIGHT, expected: { response: WRONG } })).status).toBe(200);
    const late = await set({ response: null, expected: { response: WRONG, timeout_ms: 5000 } });
    expect([late.status, late.json?.error]).toEqual([400, 'version_conflict']);
    expect(late.json?.message).toMatch(/^response has been changed/);
    const { delivery } = await api.done<Row>(org, 'get_buyer', { buyer_id: place.buyer_id });
    expect(delivery).toMatchObject({ response: RIGHT });
    const settled = { response: RIGHT, template: null, headers: {} };
    expect((await set({ timeout_ms: 900, expected: settled })).status).toBe(200);
  });
});
