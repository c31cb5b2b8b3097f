/** Looking for records: the search, and the list of pings. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aLead, before } from '../../../support/storedRows.js';
import { aPing } from '../../../support/pingBuilders.js';
import { setUp, startActionsApi, type ActionsApi } from '../../../support/api.js';
import { waitFor } from '../../../support/waitFor.js';

let api: ActionsApi;
beforeAll(async () => {
  api = await startActionsApi();
});
afterAll(() => api.stop());

describe('search', () => {
  interface Found {
    results: { type: string; id: string; name: string | null; matched: string }[];
    notes: string[];
  }
  it('finds each kind of record by each thing that an operator has at hand, and no other organization', async () => {
    const [org, other] = [await api.org(), await api.org()];
    const { campaign, buyer } = await setUp(api, org);
    await setUp(api, other);
    const lead = aLead({
      org_id: org.id,
      campaign_id: campaign.id,
      fields: { first_name: 'Ada', last_name: 'Lovelace' },
      keys: [
        'phone:+14155550134',
        'email:ada@example.com',
        'click_id:c-1',
        'first_name:Ada',
        'last_name:Lovelace',
      ],
    });
    await api.collections.leads.insertMany([
      lead,
      aLead({ ...lead, _id: crypto.randomUUID(), org_id: other.id }),
    ]);
    const found = async (query: string, types?: string[]) => {
      const { results } = await api.done<Found>(org, 'search', { query, types });
      return results.map(({ type, id, matched }) => [type, id, matched]);
    };
    const asLead = (matched: string) => [['lead', lead._id, matched]];
    expect(await found(lead._id)).toEqual(asLead('id'));
    expect(await found(lead._id.slice(0, 8).toUpperCase())).toEqual(asLead('id_prefix'));
    expect(await found('(415) 555-0134')).toEqual(asLead('phone'));
    expect(await found('ADA@example.com')).toEqual(asLead('email'));
    expect(await found('c-1')).toEqual(asLead('click_id'));
    for (const name of ['Lovelace', 'ada', 'Ada Lovelace', 'ada love'])
      expect(await found(name)).toEqual(asLead('name'));
    expect(await found('AUT')).toEqual([['campaign', campaign.id, 'name']]);
    expect(await found(campaign.id.slice(0, 9))).toEqual([['campaign', campaign.id, 'id_prefix']]);
    expect(await found('acme', ['buyer'])).toEqual([['buyer', buyer.id, 'name']]);
    expect(await found('acme', ['campaign'])).toEqual([]);
    expect(await found('.*')).toEqual([]);
    expect(await found('search')).toMatchObject([['supplier', expect.any(String), 'name']]);
  });

  it('says where there is more, and records no query', async () => {
    const org = await api.org();
    for (const name of ['Solar A', 'Solar B', 'Solar C'])
      await api.done(org, 'create_campaign', { name });
    const asked = { query: 'solar', types: ['campaign'], max_results: 2 };
    const { results, notes } = await api.done<Found>(org, 'search', asked);
    expect(results.map(({ name }) => name)).toEqual(['Solar A', 'Solar B']);
    expect(notes).toEqual([
      'There are more than 2 of the type campaign: give more of it, or a higher max_results.',
    ]);
    await waitFor(
      async () => (await api.collections.auditReads.countDocuments({ org_id: org.id })) > 0,
      { message: 'the read is recorded' },
    );
    const read = await api.collections.auditReads.findOne({ org_id: org.id });
    expect(read?.input.query).toBe('[hidden]');
  });
});

describe('list_pings', () => {
  it('shows pings by state, campaign and supplier, newest first, with bids by name', async () => {
    const org = await api.org();
    const { campaign, buyer, supplier } = await setUp(api, org);
    const later = new Date(Date.now() + 3_600_000);
    const ping = (n: number, change: object = {}) =>
      aPing({
        _id: `${org.id}-${n}`,
        org_id: org.id,
        campaign_id: campaign.id,
        supplier_id: supplier.id,
        created_at: before(n * 1_000),
        expires_at: later,
        forget_at: later,
        ...change,
      });
    const bids = [
      { buyer_id: buyer.id, price: 12e6, net: 11e6, bid: 10e6, source: 'live' as const },
      { buyer_id: 'gone', price: 9e6, net: 9e6, bid: 9e6, source: 'static' as const },
    ];
    await api.collections.pings.insertMany([
      ping(1, { bids, state: 'redeemed', lead_id: 'lead-1' }),
      ping(2, { expires_at: before(0) }),
      ping(3, { state: 'refused', reason: 'no_buyer', bids: [] }),
      ping(4, { is_test: true }),
      ping(5, { org_id: 'another' }),
    ]);
    const listed = async (filter: object) =>
      (await api.done<{ ping_id: string }[]>(org, 'list_pings', filter)).map(({ ping_id }) =>
        Number(ping_id.split('-').at(-1)),
      );
    const [first, second] = await api.done<object[]>(org, 'list_pings', {});
    expect(first).toMatchObject({
      state: 'redeemed',
      campaign_name: 'Auto',
      supplier_name: 'Search',
      lead_id: 'lead-1',
      best_bid: 10,
      bids: [
        { buyer_id: buyer.id, buyer_name: 'Acme', price: 12, bid: 10 },
        { buyer_id: 'gone', buyer_name: null, price: 9, bid: 9 },
      ],
    });
    // Its time is over, although no process has noticed it yet.
    expect(second).toMatchObject({ state: 'expired' });
    expect(await listed({})).toEqual([1, 2, 3]);
    expect(await listed({ status: 'refused' })).toEqual([3]);
    expect(await listed({ campaign_id: campaign.id })).toEqual([1, 2, 3]);
    expect(await listed({ campaign_id: campaign.id, status: 'redeemed' })).toEqual([1]);
    expect(await listed({ supplier_id: supplier.id, status: 'refused' })).toEqual([3]);
    expect(await listed({ created_from: before(1_500).toISOString() })).toEqual([1]);
    expect(await listed({ is_test: true })).toEqual([4]);
    const key = await org.sharedKey();
    expect((await api.call(key, 'list_pings', { campaign_id: 'none' })).json?.error).toBe(
      'record_not_found',
    );
  });
});
