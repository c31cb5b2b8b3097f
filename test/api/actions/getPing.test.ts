/** Looking up pings. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SignJWT } from 'jose';
import type { PingDoc } from '../../../src/pings/store/pingDocs.js';
import { aLead } from '../../support/storedRows.js';
import { setUp, startActionsApi, type ActionsApi, type Org, type Row } from '../../support/api.js';

let api: ActionsApi;
beforeAll(async () => {
  api = await startActionsApi();
});
afterAll(() => api.stop());

describe('get_ping', () => {
  const at = new Date();
  const minutes = (n: number) => new Date(at.getTime() + n * 60_000);
  const keep = async (org: Org, change: Partial<PingDoc> = {}) => {
    const { campaign, buyer, supplier } = await setUp(api, org);
    const ping: PingDoc = {
      _id: crypto.randomUUID(),
      org_id: org.id,
      campaign_id: campaign.id,
      supplier_id: supplier.id,
      plan_version: 3,
      is_test: false,
      state: 'open',
      bids: [
        {
          buyer_id: buyer.id,
          price: 25_500_000,
          net: 21_675_000,
          bid: 21_670_000,
          source: 'live',
          reference: 'r-1',
          latency_ms: 42,
        },
      ],
      unbid: [{ buyer_id: 'gone', reason: 'late', detail: { timeout_ms: 500 }, latency_ms: 500 }],
      digests: { phone: 'digest-of-phone' },
      reveal_buyers: true,
      created_at: at,
      expires_at: minutes(30),
      forget_at: minutes(600),
      ...change,
    };
    await api.collections.pings.insertOne(ping);
    return { ping, buyer };
  };

  it('shows bids and buyers without one, by its id or its token, and no digest', async () => {
    const org = await api.org();
    const { ping, buyer } = await keep(org);
    const shown = await api.done<Row>(org, 'get_ping', { ping_id: ping._id });
    expect(shown).toMatchObject({
      ping_id: ping._id,
      state: 'open',
      reason: null,
      fields: ['phone'],
      lead_id: null,
      bids: [
        {
          buyer_id: buyer.id,
          buyer_name: 'Acme',
          price: 25.5,
          net: 21.675,
          bid: 21.67,
          source: 'live',
          reference: 'r-1',
          latency_ms: 42,
        },
      ],
      unbid: [
        {
          buyer_id: 'gone',
          buyer_name: null,
          reason: 'late',
          why: 'It did not answer in time.',
          latency_ms: 500,
        },
      ],
      campaign_name: 'Auto',
      supplier_name: 'Search',
      lead_status: null,
      won_by: null,
    });
    expect(JSON.stringify(shown)).not.toContain('digest');
    // Any signature will do: only the id is used.
    const token = await new SignJWT({})
      .setProtectedHeader({ alg: 'HS256' })
      .setJti(ping._id)
      .sign(Buffer.alloc(32));
    expect(await api.done(org, 'get_ping', { ping_id: token })).toEqual(shown);
  });

  it('is expired after its expiry, whatever is stored', async () => {
    const org = await api.org();
    const { ping } = await keep(org, { expires_at: at });
    expect(await api.done(org, 'get_ping', { ping_id: ping._id })).toMatchObject({
      state: 'expired',
    });
  });

  it('shows a redeemed one with its lead, and a refused one with its reason', async () => {
    const org = await api.org();
    const redeemed = { state: 'redeemed', lead_id: 'l1', redeemed_at: at, expires_at: at } as const;
    const { ping, buyer } = await keep(org, redeemed);
    const lead = aLead({ _id: 'l1', org_id: org.id, status: 'ACCEPTED', buyer_id: buyer.id });
    await api.collections.leads.insertOne(lead);
    expect(await api.done(org, 'get_ping', { ping_id: ping._id })).toMatchObject({
      state: 'redeemed',
      lead_id: 'l1',
      redeemed_at: at.toISOString(),
      lead_status: 'ACCEPTED',
      won_by: buyer.id,
    });
  });

  it('shows a refused one with its reason', async () => {
    const org = await api.org();
    const filter_errors = [
      {
        filter_id: 'f1',
        field: 'state',
        operator: 'IN',
        value: ['CA'],
        actual: 'NY',
        message: 'no',
      },
    ];
    const refused = { state: 'refused', reason: 'filtered', bids: [], unbid: [] } as const;
    const { ping } = await keep(org, { ...refused, filter_errors } as unknown as Partial<PingDoc>);
    expect(await api.done(org, 'get_ping', { ping_id: ping._id })).toMatchObject({
      state: 'refused',
      reason: 'filtered',
      filter_errors,
      bids: [],
      unbid: [],
    });
  });

  it('is not found by an invalid id or an incomplete token', async () => {
    const key = await (await api.org()).sharedKey();
    for (const ping_id of [
      'x',
      'a.b.c',
      'eyJhbGciOiJIUzI1NiJ9.eyJqdGkiOjF9.x',
      'x'.repeat(2_000),
    ]) {
      const { status, json } = await api.call(key, 'get_ping', { ping_id });
      expect([status, json?.error]).toEqual([400, 'record_not_found']);
    }
  });

  it("is not found by another organization's", async () => {
    const { ping } = await keep(await api.org());
    const other = await (await api.org()).sharedKey();
    const { json } = await api.call(other, 'get_ping', { ping_id: ping._id });
    expect(json).toMatchObject({ error: 'record_not_found' });
  });
});
