import { accountOf } from '../../support/org.js';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createSupplier, deleteSupplier } from '../../../src/account/suppliers/suppliers.js';
import { linkSupplier } from '../../../src/account/links/supplierLinks.js';
import { createKey } from '../../../src/platform/security/keys.js';
import type { Lead } from '../../../src/leads/rules/lead.js';
import { LookupResult } from '../../../src/ingest/schemas/lookup.js';
import { startTestbed, type Market, type Testbed } from '../../support/testbed.js';
import { aLead } from '../../support/storedRows.js';
import { NO } from '../../support/fakeBuyer.js';
import { send, type HttpReply } from '../../support/http.js';
import { aPerson } from '../../support/supplier.js';

const AT = new Date('2026-11-21T12:00:00Z');

describe('GET /api/v1/leads/lookup', () => {
  let testbed: Testbed;
  let second: string;
  beforeAll(async () => {
    testbed = await startTestbed();
    second = (await testbed.otherApi()).url;
  });
  afterAll(() => testbed.stop());

  const ask = (key: string, query: Record<string, string>, url = testbed.url): Promise<HttpReply> =>
    send(`${url}/api/v1/leads/lookup?${new URLSearchParams(query).toString()}`, {
      headers: { 'x-api-key': key },
    });
  const keyOf = ({ account }: Market, supplier = 0) => account.suppliers[supplier]?.key ?? '';
  const expectRefusal = ({ status, json }: HttpReply, wanted: number, error: string) => {
    expect({ status, error: json?.error }).toEqual({ status: wanted, error });
    expect(json).toMatchObject({ message: expect.any(String), request_id: expect.any(String) });
  };
  const dataOf = ({ status, json }: HttpReply) => {
    expect(status).toBe(200);
    return LookupResult.parse(json).data;
  };
  /** A lead of the market's supplier in any state. */
  const store = async ({ account }: Market, changes: Partial<Lead>): Promise<Lead> => {
    const lead = aLead({
      _id: randomUUID(),
      org_id: account.orgId,
      campaign_id: account.campaignId,
      supplier_id: account.suppliers[0]?.id ?? '',
      created_at: AT,
      // No run acquires it.
      run: 'busy',
      lease_until: new Date(Date.now() + 3_600_000),
      ...changes,
    });
    await testbed.collections.leads.insertOne(lead);
    return lead;
  };

  it('returns by id, phone and email what ingest answered', async () => {
    const market = await testbed.market({ suppliers: 1 });
    const person = aPerson();
    const { data } = await market.post(person);
    const campaign_id = market.account.campaignId;
    const phone = `+1 (${(person.phone ?? '').slice(0, 3)}) ${(person.phone ?? '').slice(3)}`;
    const email = (person.email ?? '').toUpperCase();
    const queries: Record<string, string>[] = [
      { id: data?.id ?? '' },
      { phone, campaign_id },
      { email, campaign_id },
    ];
    for (const query of queries) {
      const reply = await ask(keyOf(market), query);
      expect(dataOf(reply)).toEqual({
        ...data,
        status: 'ACCEPTED',
        delivery: 'delivered',
        buyer_id: market.account.buyers.only,
        is_test: false,
        created_at: expect.stringMatching(/^\d{4}-.*Z$/),
        decided_at: expect.stringMatching(/^\d{4}-.*Z$/),
        matches: 1,
      });
      expect(reply.headers['cache-control']).toBe('no-store');
      expect(reply.text).not.toContain(person.phone);
    }
  });

  it('returns duplicates, unsold leads, and the filters that a lead failed', async () => {
    const filters = { all: [{ id: 'f', field: 'state', operator: '!=' as const, value: 'NY' }] };
    const market = await testbed.market({
      campaign: { filters },
      buyers: { only: { answer: () => NO } },
    });
    const person = aPerson();
    const filtered = await market.post({ ...person, state: 'NY' });
    const unmatched = await market.post(person);
    const look = async (id: unknown) => dataOf(await ask(keyOf(market), { id: String(id) }));
    expect(await look(filtered.body.lead_id)).toMatchObject({
      status: 'REJECTED',
      buyer_id: null,
      reason: 'filtered',
      filter_errors: filtered.body.filter_errors,
    });
    expect(await look(unmatched.data?.id)).toMatchObject({ status: 'UNMATCHED', buyer_id: null });

    const selling = await testbed.market();
    const first = await selling.post(person);
    const duplicate = await selling.post(person);
    const query = { id: duplicate.data?.id ?? '' };
    expect(dataOf(await ask(keyOf(selling), query))).toMatchObject({
      status: 'DUPLICATE',
      duplicate_of: first.data?.id,
    });
    const both = { phone: person.phone ?? '', campaign_id: selling.account.campaignId };
    expect(dataOf(await ask(keyOf(selling), both))).toMatchObject({
      id: duplicate.data?.id,
      matches: 2,
    });
  });

  it.each([
    ['PENDING', {}, { status: 'ACCEPTED', delivery: 'pending' }],
    ['EXPIRED', { decided_at: AT }, { status: 'EXPIRED', decided_at: AT.toISOString() }],
    ['NEW', {}, { status: 'NEW' }],
    ['REJECTED', { refusal: 'supplier_capped' }, { status: 'REJECTED', reason: 'supplier_capped' }],
  ] as const)('returns a lead that is %s', async (status, changes, told) => {
    const market = await testbed.market();
    const lead = await store(market, { status, ...changes });
    expect(dataOf(await ask(keyOf(market), { id: lead._id }))).toEqual({
      id: lead._id,
      buyer_id: null,
      campaign_id: market.account.campaignId,
      is_test: false,
      created_at: AT.toISOString(),
      matches: 1,
      ...told,
    });
  });

  it('leaves out withdrawn leads and repeated requests', async () => {
    const market = await testbed.market();
    const withdrawn = await store(market, { status: 'WITHDRAWN', keys: ['email:ada@example.com'] });
    const resent = await store(market, {
      status: 'DUPLICATE',
      replay_of: 'another',
      keys: ['email:ada@example.com'],
    });
    const campaign_id = market.account.campaignId;
    const queries: Record<string, string>[] = [
      { id: withdrawn._id },
      { id: resent._id },
      { email: 'ada@example.com', campaign_id },
    ];
    for (const query of queries) {
      expectRefusal(await ask(keyOf(market), query), 404, 'not_found');
    }
  });

  it('returns the newest of many, and counts at most a hundred', async () => {
    const market = await testbed.market();
    const { account } = market;
    const leads = Array.from({ length: 105 }, (_, n) =>
      aLead({
        _id: randomUUID(),
        org_id: account.orgId,
        campaign_id: account.campaignId,
        supplier_id: account.suppliers[0]?.id ?? '',
        status: 'UNMATCHED',
        keys: ['phone:+15550001234', 'email:ada@example.com'],
        created_at: new Date(Number(AT) + ((n * 37) % 105) * 1_000),
      }),
    );
    await testbed.collections.leads.insertMany(leads);
    const newest = leads.toSorted((a, b) => Number(b.created_at) - Number(a.created_at))[0];
    const query = { phone: '5550001234', campaign_id: account.campaignId };
    expect(dataOf(await ask(keyOf(market), query))).toMatchObject({
      id: newest?._id,
      matches: 100,
    });
  });

  it("is 404 for another supplier's lead, another campaign, and no lead at all", async () => {
    const market = await testbed.market({ suppliers: 2 });
    const other = await testbed.market();
    const person = aPerson();
    const { data } = await market.post(person);
    const id = data?.id ?? '';
    const campaign_id = market.account.campaignId;
    const phone = person.phone ?? '';
    for (const [key, query] of [
      [keyOf(market, 1), { id }],
      [keyOf(market, 1), { phone, campaign_id }],
      [keyOf(other), { id }],
      [keyOf(other), { phone, campaign_id }],
      [keyOf(market), { phone, campaign_id: other.account.campaignId }],
      [keyOf(market), { id, campaign_id: other.account.campaignId }],
      [keyOf(market), { id: randomUUID() }],
    ] as const) {
      expectRefusal(await ask(key, { ...query }), 404, 'not_found');
    }
  });

  it('is 400 with the parameter that is wrong, 401 without a valid key', async () => {
    const market = await testbed.market();
    const reply = await ask(keyOf(market), { phone: '12' });
    expectRefusal(reply, 400, 'validation_failed');
    expect(reply.json?.field_errors).toMatchObject([
      { field: 'phone', code: 'invalid_format' },
      { field: 'campaign_id', code: 'required' },
    ]);
    for (const key of ['', 'nonsense', createKey('live')]) {
      expectRefusal(await ask(key, { id: randomUUID() }), 401, 'unauthorized');
    }
  });

  it('is 401 at once with the key of a deleted supplier, in every process', async () => {
    const { account, ...market } = await testbed.market();
    const { collections, keyring } = testbed;
    const gone = await createSupplier(accountOf({ collections, keyring }, account.orgId), {
      name: 'Gone',
    });
    const supplier_id = gone.supplier._id;
    const link = { org_id: account.orgId, campaign_id: account.campaignId, supplier_id };
    await linkSupplier(accountOf({ collections }, link.org_id), link, {});
    const lead = await store({ account, ...market }, { supplier_id, status: 'UNMATCHED' });
    for (const url of [testbed.url, second]) dataOf(await ask(gone.api_key, { id: lead._id }, url));
    await deleteSupplier(accountOf({ collections }, account.orgId), supplier_id);
    for (const url of [testbed.url, second]) {
      expectRefusal(await ask(gone.api_key, { id: lead._id }, url), 401, 'unauthorized');
    }
  });

  it('has its own burst limit of 20, separate from ingest, and says when to ask again', async () => {
    const market = await testbed.market();
    const { data } = await market.post();
    const id = data?.id ?? '';
    const burst = () => Promise.all(Array.from({ length: 60 }, () => ask(keyOf(market), { id })));
    const started = performance.now();
    const replies = await burst();
    const refusedOf = () => replies.filter(({ status }) => status !== 200);
    // On a slow machine 60 requests may fit the limit: then it sends more.
    while (refusedOf().length === 0 && replies.length < 600) replies.push(...(await burst()));
    const seconds = (performance.now() - started) / 1_000;
    const refused = refusedOf();
    const taken = replies.length - refused.length;
    const policy = '"lookup-burst";q=20;w=1, "lookup-sustained";q=50;w=5';
    expect(taken).toBeGreaterThanOrEqual(18);
    expect(taken).toBeLessThanOrEqual((20 + 20 * seconds) * 1.1);
    for (const reply of refused) {
      expectRefusal(reply, 429, 'rate_limited');
      expect(reply.json).toMatchObject({
        retry_after: 1,
        message: 'More than 10 lookups a second (bursts of 20 for 5 s). Ask again in 1 s.',
      });
      expect(reply.headers['retry-after']).toBe('1');
      expect(reply.headers['ratelimit-policy']).toBe(policy);
    }
    expect(refused.length).toBeGreaterThan(0);
    expect((await market.post()).status).toBe(201);
  });
});
