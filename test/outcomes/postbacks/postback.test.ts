/** The buyer's postback, row by row (contract 7.1, 7.3). */
import { signingSecretPlace } from '../../../src/account/rules/sealedPlaces.js';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { updateBuyer } from '../../../src/account/buyers/buyers.js';
import type { RateLimit } from '../../../src/platform/rateLimits/store/rateDoc.js';
import { contract } from '../../support/contract.js';
import { send } from '../../support/http.js';
import { faultsOf, startPostbackServers, type PostbackServers } from './postbackServers.js';
import { waitFor } from '../../support/waitFor.js';
import { accountOf } from '../../support/org.js';

const PATH = '/api/webhooks/buyer-outcome';
const BODY = ['paths', PATH, 'post', 'requestBody', 'content', 'application/json', 'schema'];
const PERSON = { phone: '+15558675309', email: 'jane.doe@example.com' };

describe('POST /api/webhooks/buyer-outcome', () => {
  let servers: PostbackServers;
  beforeAll(async () => {
    servers = await startPostbackServers();
  });
  afterAll(() => servers.stop());

  const lastMade = () => servers.changes.made.at(-1);

  it('answers 200 with the state of the lead, and records the change in the name of the buyer', async () => {
    const market = await servers.market();
    const lead = await market.sold(PERSON);
    const { orgId, campaignId, buyers } = market.account;
    const reply = await servers.post(await market.secret(), {
      lead_id: lead._id,
      outcome: 'converted',
      conversion_revenue: 120.5,
      lead_value: 900,
      note: 'signed today',
    });
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({
      success: true,
      data: {
        lead_id: lead._id,
        status: 'converted',
        outcome: 'converted',
        conversion_revenue: 120.5,
        lead_value: 900,
        note: 'signed today',
        updated_at: expect.stringMatching(/Z$/),
        replayed: false,
      },
    });
    expect(reply.headers).toMatchObject({
      'cache-control': 'no-store',
      ratelimit: expect.stringMatching(/^"postback-\w+";r=\d+;t=\d+$/),
    });
    expect(lastMade()).toEqual({
      org_id: orgId,
      campaign_id: campaignId,
      lead_id: lead._id,
      buyer_id: buyers.Acme,
      body_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      by: { kind: 'buyer', id: buyers.Acme, name: 'Acme' },
      ask: {
        kind: 'outcome',
        outcome: 'converted',
        conversion_revenue: 120_500_000,
        lead_value: 900_000_000,
        note: 'signed today',
      },
    });
  });

  it('is also read from a form, whose numbers are text', async () => {
    const market = await servers.market();
    const lead = await market.sold(PERSON);
    const secret = await market.secret();
    const form = { lead_id: lead._id, outcome: 'converted', revenue: '80.25', note: '' };
    expect((await servers.postForm(secret, form)).status).toBe(200);
    expect(lastMade()?.ask).toEqual({
      kind: 'outcome',
      outcome: 'converted',
      conversion_revenue: 80_250_000,
    });
    const json = await servers.post(secret, form);
    expect([json.status, faultsOf(json)]).toEqual([400, [['revenue', 'invalid_type']]]);
  });

  it('reads a number as its digits where the description of the API allows one', async () => {
    const market = await servers.market();
    const lead = await market.sold(PERSON);
    const body = { lead_id: lead._id, note: 4711, idempotency_key: 4711 };
    expect(contract().faults(BODY, body)).toEqual([]);
    const secret = await market.secret();
    expect((await servers.post(secret, body)).json).toMatchObject({ data: { note: '4711' } });
    const again = await servers.post(secret, { ...body, note: '4711', idempotency_key: '4711' });
    expect(again.json).toMatchObject({ data: { replayed: true } });
  });

  it('reports every problem of a body at once, and stores nothing', async () => {
    const market = await servers.market();
    const lead = await market.sold(PERSON);
    const before = servers.changes.made.length;
    const reply = await servers.post(await market.secret(), {
      lead_id: lead._id,
      phone: PERSON.phone,
      outcome: 'sold',
      conversion_revenue: -1,
      lead_value: 'much',
      note: [],
      idempotency_key: 'k'.repeat(300),
    });
    expect(reply.json).toMatchObject({
      error: 'validation_failed',
      request_id: expect.any(String),
    });
    expect(faultsOf(reply)).toEqual([
      ['outcome', 'not_allowed'],
      ['conversion_revenue', 'out_of_range'],
      ['lead_value', 'invalid_type'],
      ['note', 'invalid_type'],
      ['phone', 'not_allowed'],
      ['idempotency_key', 'too_long'],
    ]);
    expect(servers.changes.made).toHaveLength(before);
  });

  it.each([
    ['nothing that can be updated', { lead_id: randomUUID() }, 'outcome'],
    ['no lead', { outcome: 'pending' }, 'lead_id'],
    ['a phone without its campaign', { outcome: 'pending', phone: PERSON.phone }, 'campaign_id'],
    [
      'revenues that differ',
      { lead_id: randomUUID(), revenue: 1, conversion_revenue: 2 },
      'revenue',
    ],
  ])('is 400 with %s', async (_name, body, field) => {
    const market = await servers.market();
    const reply = await servers.post(await market.secret(), body);
    expect([reply.status, faultsOf(reply).map(([name]) => name)]).toEqual([400, [field]]);
  });

  it.each([
    ['no secret', undefined],
    ['an empty one', ''],
    ['one of no buyer', 'a'.repeat(64)],
    ['no such thing', 'secret'],
  ])('is 401 with %s', async (_name, secret) => {
    const market = await servers.market();
    const lead = await market.sold(PERSON);
    const { status, json } = await servers.post(secret, { lead_id: lead._id, outcome: 'pending' });
    expect([status, json?.error]).toEqual([401, 'unauthorized']);
  });

  it('is 401 with the signing secret of the buyer, and with the key of a supplier', async () => {
    const market = await servers.market();
    const lead = await market.sold(PERSON);
    const { buyers, suppliers } = market.account;
    const buyer = await servers.collections.buyers.findOne({ _id: buyers.Acme ?? '' });
    if (!buyer) throw new Error('There is no such buyer');
    for (const secret of [
      servers.keyring.open(buyer.signing_secret, signingSecretPlace(buyer._id)),
      suppliers[0]?.key,
    ]) {
      const { status, json } = await servers.post(secret, {
        lead_id: lead._id,
        outcome: 'pending',
      });
      expect([status, json?.error]).toEqual([401, 'unauthorized']);
    }
  });

  it('returns the same answer for the same key and body, and 409 for another body', async () => {
    const market = await servers.market();
    const lead = await market.sold({ ...PERSON, age: 40 });
    const secret = await market.secret();
    const campaign_id = market.account.campaignId;
    const body = { phone: '(555) 867-5309', campaign_id, outcome: 'pending', idempotency_key: 'a' };
    const first = await servers.post(secret, body);
    const again = await servers.post(secret, { ...body, sent_at: 'now' }, 1);
    expect(first.json).toMatchObject({ data: { lead_id: lead._id, replayed: false } });
    expect(again.json).toEqual({
      success: true,
      data: { ...(first.json?.data as object), replayed: true },
    });
    const other = await servers.post(secret, { ...body, outcome: 'converted' });
    expect([other.status, other.json?.error]).toEqual([409, 'conflict']);
    // A key belongs to one buyer.
    const shared = await market.sold(PERSON, ['Best']);
    const theirs = { ...body, phone: undefined, lead_id: shared._id, campaign_id: undefined };
    expect((await servers.post(await market.secret('Best'), theirs)).status).toBe(200);
  });

  it('recognizes the lead of a key when its phone now matches two leads', async () => {
    const market = await servers.market();
    const secret = await market.secret();
    const lead = await market.sold(PERSON);
    const campaign_id = market.account.campaignId;
    const body = { phone: PERSON.phone, campaign_id, outcome: 'pending' };
    await servers.post(secret, { ...body, idempotency_key: 'mine' });
    await market.sold(PERSON);
    const again = await servers.post(secret, { ...body, idempotency_key: 'mine' });
    expect(again.json).toMatchObject({ data: { lead_id: lead._id, replayed: true } });
    expect((await servers.post(secret, body)).status).toBe(409);
    const other = await servers.post(secret, { ...body, note: 'x', idempotency_key: 'mine' });
    expect([other.status, other.json?.error]).toEqual([409, 'conflict']);
  });

  it('is the only address for outcomes', async () => {
    const url = `${servers.url}/api/v1/outcome`;
    for (const method of ['POST', 'GET'] as const) {
      const { status, json } = await send(url, { method });
      expect([status, json?.error]).toEqual([404, 'not_found']);
    }
    const { status, headers } = await send(`${servers.url}/api/webhooks/buyer-outcome`);
    expect([status, headers.allow]).toEqual([405, 'POST']);
  });

  it('is limited to 100 a second for each buyer, in all processes together', async () => {
    const market = await servers.market();
    const lead = await market.sold(PERSON);
    const [secret, other] = [await market.secret(), await market.secret('Best')];
    const body = { lead_id: lead._id, outcome: 'pending' };
    const started = performance.now();
    const replies = await Promise.all(
      Array.from({ length: 300 }, (_, n) => servers.post(secret, body, n % 2)),
    );
    const seconds = (performance.now() - started) / 1_000;
    const taken = replies.filter(({ status }) => status === 200).length;
    expect(taken).toBeGreaterThanOrEqual(90);
    expect(taken).toBeLessThanOrEqual(110 + 110 * seconds);
    const refused = replies.filter(({ status }) => status === 429);
    expect(refused.length).toBe(300 - taken);
    for (const { json, headers } of refused) {
      expect(json).toMatchObject({ error: 'rate_limited', retry_after: 1 });
      expect(headers['retry-after']).toBe('1');
      expect(json?.message).toMatch(/^More than 100 postbacks a second\. /);
    }
    expect((await servers.post(other, body)).status).toBe(404);
  });

  it('is limited by the current rate_limit of the buyer, if set', async () => {
    const market = await servers.market();
    const lead = await market.sold(PERSON);
    const secret = await market.secret();
    const body = { lead_id: lead._id, outcome: 'pending' };
    const { orgId, buyers } = market.account;
    const flood = async () => {
      const started = performance.now();
      const replies = await Promise.all(
        Array.from({ length: 300 }, (_, n) => servers.post(secret, body, n % 2)),
      );
      const taken = replies.filter(({ status }) => status === 200).length;
      return { taken, seconds: (performance.now() - started) / 1_000 };
    };
    /** Sets the limit, and waits until both processes know it and their shared buckets hold `held` postbacks. */
    const limit = async (rate_limit: Partial<RateLimit>, held: number) => {
      const id = Object.values(buyers)[0] ?? '';
      const { collections, keyring } = servers;
      await updateBuyer(accountOf({ collections, keyring }, orgId), id, { rate_limit });
      const left = async (process: number): Promise<number> => {
        const { headers } = await servers.post(secret, body, process);
        return Number(/r=(\d+)/.exec(String(headers.ratelimit))?.[1]);
      };
      for (const process of [0, 1])
        await waitFor(async () => (await left(process)) >= held, {
          message: `process ${process} has ${held} postbacks left`,
        });
    };
    await limit({ per_second: 20, burst_per_second: 20 }, 1);
    const slow = await flood();
    expect(slow.taken).toBeLessThanOrEqual(22 + 22 * slow.seconds);
    expect(slow.taken).toBeGreaterThanOrEqual(15);
    await limit({ per_second: 1_000, burst_per_second: 2_000, burst_seconds: 10 }, 350);
    expect((await flood()).taken).toBe(300);
  });
});
