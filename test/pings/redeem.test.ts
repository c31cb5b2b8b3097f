/** Leads that redeem pings, through the whole service. */
import { accountOf } from '../support/org.js';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { request } from 'undici';
import { explainLead } from '../../src/routing/explain/explain.js';
import { applyLocks } from '../../src/leads/rules/locks.js';
import { DEFAULT_PING_SETTINGS } from '../../src/account/rules/pingSettings.js';
import { updateBuyerLink } from '../../src/account/links/buyerLinks.js';
import { fieldCodes } from '../support/supplier.js';
import { startTestbed, type Market, type Testbed } from '../support/testbed.js';
import { NO, YES } from '../support/fakeBuyer.js';
import { tokensOf, type PingSpec } from '../support/pings.js';
import { replayAll } from '../support/replayed.js';
import { aPerson } from '../support/supplier.js';
import { BOTH, buyerId, CA, MICROS, pingFor, pingMarket } from './pingMarket.js';

describe('a lead of a ping-post campaign', () => {
  let testbed: Testbed;
  beforeAll(async () => {
    testbed = await startTestbed();
  });
  afterAll(() => testbed.stop());

  const market = (spec?: Parameters<typeof pingMarket>[1]) => pingMarket(testbed, spec);
  const ping = (one: Market, spec?: PingSpec) => pingFor(testbed, one, spec);
  const stored = (id: string) => testbed.collections.pings.findOne({ _id: id });

  it('goes to the best bid for the price and the cost that were promised', async () => {
    const one = await market();
    const { id, body } = await ping(one, {
      bidders: { best: { price: 20, bid: 15, reference: 'REF-7' }, next: BOTH.next },
    });
    // The links have changed since; the promised terms hold.
    const { orgId: org_id, campaignId: campaign_id } = one.account;
    const ids = { org_id, campaign_id, buyer_id: buyerId(one, 'best') };
    await updateBuyerLink(accountOf(testbed, ids.org_id), ids, { price: 1, priority: 9 });
    const answer = await one.post(body);
    expect([answer.status, answer.data?.status]).toEqual([201, 'ACCEPTED']);
    expect(answer.data?.buyer_id).toBe(buyerId(one, 'best'));
    const lead = await testbed.lead(answer.data?.id);
    expect(lead).toMatchObject({
      price: 20 * MICROS,
      cost: 15 * MICROS,
      profit: 5 * MICROS,
      ping: { ping_id: id, bids: [{ reference: 'REF-7' }, {}] },
    });
    expect(one.sentTo('best')[0]?.body).toMatchObject({
      price: 20,
      ping_reference: 'REF-7',
    });
    expect(await stored(id)).toMatchObject({ state: 'redeemed', lead_id: lead._id });
  });

  it('is replayed and explained by the bids of its ping', async () => {
    const one = await market({ buyers: { none: {}, next: {}, best: { answer: () => NO } } });
    const { id, body } = await ping(one);
    const { data } = await one.post(body);
    const lead = await testbed.lead(data?.id);
    expect(lead).toMatchObject({ buyer_id: buyerId(one, 'next'), price: 18 * MICROS });
    const replays = await replayAll(testbed.collections, { leadId: lead._id });
    expect(replays).toEqual({ count: 1, different: [] });
    const plan = await testbed.collections.plans.findOne({ campaign_id: lead.campaign_id });
    if (!plan) throw new Error('no plan');
    const { steps, buyers } = explainLead({ lead, plan: applyLocks(plan, lead), currency: 'USD' });
    expect(steps.map(({ text }) => text)).toContain(
      `It redeemed ping ${id}, whose bids apply: best 20.00 USD (the supplier gets 15.00 USD) and ` +
        'next 18.00 USD (the supplier gets 14.00 USD).',
    );
    expect(buyers.find(({ name }) => name === 'none')).toMatchObject({ reason: 'no_bid' });
  });

  it('has no cost and no revenue as a test', async () => {
    const one = await market();
    const { id, body } = await ping(one, { is_test: true });
    const { data } = await one.post({ ...body, test_lead: true });
    // No buyer is in test mode: the lead is unmatched, and the ping is redeemed all the same.
    expect(data?.status).toBe('UNMATCHED');
    expect(await testbed.lead(data?.id)).toMatchObject({ price: 0, cost: 0 });
    const found = await stored(id);
    expect(found).toMatchObject({ state: 'redeemed', lead_id: data?.id });
    expect(found).not.toHaveProperty('uncounted');
  });

  it('goes only to the bidder that its supplier selects', async () => {
    const one = await market();
    const pick = { flo_buyer_id: buyerId(one, 'next').toUpperCase() };
    const { data } = await one.post({ ...(await ping(one)).body, ...pick });
    expect(data?.buyer_id).toBe(buyerId(one, 'next'));
    expect(one.sentTo('best')).toEqual([]);
    expect(await testbed.lead(data?.id)).toMatchObject({ price: 18 * MICROS, cost: 14 * MICROS });
    const unknown = await one.post({ ...(await ping(one)).body, flo_buyer_id: randomUUID() });
    expect(fieldCodes(unknown)).toEqual({ flo_buyer_id: 'not_allowed' });
  });

  it('goes to the next bid when the best buyer is now full or paused', async () => {
    const one = await market({ buyers: { next: {}, best: { caps: { daily_cap: 1 } } } });
    const before = [await ping(one), await ping(one)];
    const [first, second] = [await one.post(before[0]?.body), await one.post(before[1]?.body)];
    expect([first, second].map(({ data }) => data?.buyer_id)).toEqual([
      buyerId(one, 'best'),
      buyerId(one, 'next'),
    ]);
    const two = await market();
    const { body } = await ping(two);
    const { orgId: org_id, campaignId: campaign_id } = two.account;
    const ids = { org_id, campaign_id, buyer_id: buyerId(two, 'best') };
    await updateBuyerLink(accountOf(testbed, ids.org_id), ids, { status: 'paused' });
    expect((await two.post(body)).data?.buyer_id).toBe(buyerId(two, 'next'));
  });

  it('keeps the price of its bid when the buyer answers with another, and records that', async () => {
    const answer = () => ({ ...YES, body: { price: 3 } });
    const delivery = { response: { price_path: 'price' } };
    const one = await market({ buyers: { best: { answer, delivery } } });
    const { data } = await one.post((await ping(one, { bidders: { best: BOTH.best } })).body);
    const lead = await testbed.lead(data?.id);
    expect(lead).toMatchObject({ price: 20 * MICROS, cost: 15 * MICROS });
    const said = lead.trail.find(({ step }) => step === 'delivery');
    expect(said?.detail?.notes).toEqual(['price_locked']);
  });

  it('is refused with a code for each problem of its ping', async () => {
    const [one, other] = [await market(), await market()];
    const codes = async (body: Record<string, unknown>) => {
      const answer = await one.post(body);
      expect([answer.status, answer.error]).toEqual([400, 'validation_failed']);
      return fieldCodes(answer);
    };
    const used = await ping(one);
    expect((await one.post(used.body)).status).toBe(201);
    const forged = await ping(one, { tokens: tokensOf('a key of 32 characters that is not ours') });
    const late = { validMs: -1_000 };
    // The token expires by the whole second; within it, MongoDB has the exact time.
    const almost = await ping(one, {
      claims: { expires_at: new Date(Date.now() + 60_000) },
      ...late,
    });
    const cases: [Record<string, unknown>, string][] = [
      [{}, 'required'],
      [{ flo_ping_id: 17 }, 'invalid_type'],
      [{ flo_ping_id: 'x'.repeat(100_000) }, 'invalid'],
      [forged.body, 'invalid'],
      [(await ping(other)).body, 'mismatch'],
      [(await ping(one, late)).body, 'expired'],
      [almost.body, 'expired'],
      [used.body, 'already_used'],
    ];
    for (const [body, code] of cases) expect(await codes(body)).toEqual({ flo_ping_id: code });
    expect(await one.leads()).toHaveLength(1);
    expect(await codes({ ...(await ping(one, late)).body, phone: 'x' })).toEqual({
      flo_ping_id: 'expired',
      phone: 'invalid_format',
    });
  });

  it('is refused when it differs from its ping, which stays usable for the right lead', async () => {
    const one = await market();
    const { body } = await ping(one, { fields: { ...CA, zip_code: '94103' } });
    const wrong = await one.post({ ...body, state: 'NV', zip_code: '94103-1234', test_lead: true });
    expect(fieldCodes(wrong)).toEqual({ test_lead: 'mismatch', state: 'mismatch' });
    expect((await one.post({ ...body, zip_code: '94103' })).status).toBe(201);
  });

  it('continues when it may differ from its ping, and its trail says how', async () => {
    const one = await market();
    const settings = { ...DEFAULT_PING_SETTINGS, on_difference: 'WARN' as const };
    await testbed.collections.plans.updateMany(
      { campaign_id: one.account.campaignId },
      { $set: { ping: settings } },
    );
    const { data } = await one.post({ ...(await ping(one)).body, state: 'NV' });
    const { ping: redeemed, trail } = await testbed.lead(data?.id);
    expect(redeemed?.differs).toEqual(['state']);
    expect(trail).toContainEqual(
      expect.objectContaining({ step: 'ping', result: 'differs', detail: { fields: ['state'] } }),
    );
  });

  it('is answered with the ids that its ping showed, also repeated and in lookups', async () => {
    const one = await market();
    const hidden = { reveal_buyers: false };
    const key = { headers: { 'idempotency-key': randomUUID() } };
    const person = aPerson();
    const post = { ...person, ...(await ping(one, hidden)).body };
    const first = await one.post(post, key);
    const shown = first.data?.buyer_id ?? '';
    expect(shown).toMatch(/^b_[\w-]{22}$/);
    expect(JSON.stringify(first.body)).not.toContain(buyerId(one, 'best'));
    const again = await one.post(post, key);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.data).toEqual(first.data);
    const lookup = `${testbed.url}/api/v1/leads/lookup?id=${first.data?.id}`;
    const headers = { 'x-api-key': one.account.suppliers[0]?.key ?? '' };
    const found = await request(lookup, { headers });
    expect(await found.body.json()).toMatchObject({ data: { buyer_id: shown } });
    // The same id stands for the buyer in the next ping; the buyer's own id is unknown there.
    const picked = await one.post({ ...(await ping(one, hidden)).body, flo_buyer_id: shown });
    expect(picked.data?.buyer_id).toBe(shown);
    const real = { flo_buyer_id: buyerId(one, 'best') };
    const refused = await one.post({ ...(await ping(one, hidden)).body, ...real });
    expect(fieldCodes(refused)).toEqual({ flo_buyer_id: 'not_allowed' });
    expect(JSON.stringify(refused.body)).toContain(shown);
  });

  it('gets the first answer under its key, whose refusals are not kept', async () => {
    const one = await market();
    const key = { headers: { 'idempotency-key': randomUUID() } };
    const used = await ping(one);
    await one.post(used.body);
    const person = aPerson();
    const refused = await one.post({ ...person, ...used.body }, key);
    expect(fieldCodes(refused)).toEqual({ flo_ping_id: 'already_used' });
    const body = { ...person, ...(await ping(one)).body };
    const first = await one.post(body, key);
    expect(first.status).toBe(201);
    expect((await one.post(body, key)).data).toEqual(first.data);
  });

  it('gets the first answer when that never arrived, also after the ping has expired', async () => {
    const one = await market();
    const { id, body } = await ping(one, { validMs: 60_000 });
    const post = { ...aPerson(), ...body };
    const first = await one.post(post);
    const { leads, pings } = testbed.collections;
    await leads.updateOne({ _id: first.data?.id ?? '' }, { $set: { broken: true } });
    const key = { headers: { 'idempotency-key': randomUUID() } };
    for (const options of [{}, key, key]) {
      const again = await one.post(post, options);
      expect(again.data).toEqual(first.data);
      expect(again.headers['idempotent-replayed']).toBe('true');
    }
    await pings.updateOne({ _id: id }, { $set: { expires_at: new Date(Date.now() - 1) } });
    expect((await one.post(post)).data).toEqual(first.data);
    expect(fieldCodes(await one.post({ ...post, first_name: 'Else' }))).toEqual({
      flo_ping_id: 'expired',
    });
    expect(await one.leads()).toHaveLength(1);
    expect(one.sentTo('best')).toHaveLength(1);
  });

  it('takes over a ping from a lead that was not leased in time', async () => {
    const one = await market();
    const { leads } = testbed.collections;
    for (const untaken of [{ status: 'WITHDRAWN' as const }, { take_by: new Date(0) }]) {
      const { id, body } = await ping(one);
      const { data } = await one.post((await ping(one)).body);
      const template = await testbed.lead(data?.id);
      const _id = randomUUID();
      const dead = { ...template, _id, status: 'NEW' as const, run: null, sales: [], ...untaken };
      await leads.insertOne(dead);
      const redeemed = { $set: { state: 'redeemed' as const, lead_id: _id } };
      await testbed.collections.pings.updateOne({ _id: id }, redeemed);
      const answer = await one.post(body);
      expect(answer.status).toBe(201);
      expect(await stored(id)).toMatchObject({ state: 'redeemed', lead_id: answer.data?.id });
      expect((await testbed.lead(_id)).status).toBe('WITHDRAWN');
    }
  });

  it('takes a turn with the buyer that is asked, which orders equal bids of later pings', async () => {
    const one = await market();
    await one.post((await ping(one)).body);
    const turns = await testbed.collections.turns.findOne({ _id: one.account.campaignId });
    expect(turns?.last).toEqual({ [buyerId(one, 'best')]: 1 });
  });

  it('is ignored where leads are posted without a ping', async () => {
    const one = await testbed.market();
    const { status } = await one.post({ flo_ping_id: 'whatever', flo_buyer_id: 5 });
    expect(status).toBe(201);
    const [lead] = await one.leads();
    expect([lead?.ping, lead?.extra]).toEqual([undefined, {}]);
    expect(one.sentTo('only')[0]?.body).not.toHaveProperty('ping_reference');
  });
});
