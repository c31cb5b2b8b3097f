import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Lead } from '../../src/leads/rules/lead.js';
import { createAnsweredStore } from '../../src/leads/store/answered.js';
import { NO, startFakeBuyer, YES } from '../support/fakeBuyer.js';
import { aPerson, tally } from '../support/supplier.js';
import { waitFor } from '../support/waitFor.js';
import { startTestbed, type Market, type Testbed } from '../support/testbed.js';

/** Long enough to abort a connection meanwhile. */
const SLOW = { ...YES, delayMs: 400 };

let testbed: Testbed;
beforeAll(async () => {
  testbed = await startTestbed();
});
afterAll(() => testbed.stop());

/** Its answer is recorded as written. */
const isMarked = (id: string): Promise<unknown> =>
  waitFor(
    async () => (await createAnsweredStore(testbed.collections.answered).among([id])).has(id),
    {
      message: 'the answer is marked as written',
    },
  );

/** As if the process had died before the answer went out, at that moment. */
async function markNeverWritten(id: string, times: Partial<Lead>): Promise<void> {
  const { answered, leads } = testbed.collections;
  await answered.updateMany({ lead_ids: id }, { $pull: { lead_ids: id } });
  await leads.updateOne({ _id: id }, { $set: times });
}

describe('a lead whose buyer does not answer in time', () => {
  it('is answered pending in time, and accepted later', async () => {
    const { account, post, sentTo } = await testbed.market({
      campaign: { answer_within_ms: 300 },
      buyers: { slow: { answer: () => ({ ...YES, delayMs: 1_000 }) } },
    });
    const answer = await post();
    expect(answer.status).toBe(201);
    expect(answer.data).toEqual({
      id: expect.any(String),
      status: 'ACCEPTED',
      buyer_id: null,
      campaign_id: account.campaignId,
      delivery: 'pending',
    });
    // 300 ms plus the way back; a busy machine may add more.
    expect(answer.ms).toBeLessThan(2_000);
    expect(await testbed.lead(answer.data?.id)).toMatchObject({
      status: 'PENDING',
      price: 0,
      cost: 0,
      sales: [],
    });
    const lead = await testbed.becomes(answer.data?.id, 'ACCEPTED');
    expect(lead).toMatchObject({ price: 10_000_000, cost: 4_000_000, profit: 6_000_000 });
    expect(sentTo('slow')).toHaveLength(1);
  });

  it('waits for the only buyer when that cannot be reached, and is accepted when it is back', async () => {
    const gone = await startFakeBuyer();
    await gone.stop();
    const { account, post } = await testbed.market({
      buyers: { only: { delivery: { url: `${gone.url}/back` } } },
    });
    const person = aPerson();
    const answer = await post(person);
    expect(answer).toMatchObject({
      status: 201,
      data: { status: 'ACCEPTED', buyer_id: null, delivery: 'pending' },
    });
    expect(await testbed.rows(answer.data?.id)).toMatchObject([{ state: 'parked', n: 1 }]);
    expect((await post(person)).data).toMatchObject({
      status: 'DUPLICATE',
      duplicate_of: answer.data?.id,
    });
    const back = await startFakeBuyer(() => YES, { port: Number(new URL(gone.url).port) });
    try {
      const lead = await testbed.becomes(answer.data?.id, 'ACCEPTED');
      expect(lead).toMatchObject({ buyer_id: account.buyers.only, price: 10_000_000 });
      expect(back.accepted()).toEqual([lead._id]);
      expect(back.requests[0]?.idempotencyKey).toBe(`${lead._id}:${account.buyers.only}`);
    } finally {
      await back.stop();
    }
  });

  it.each([
    ['hold', { status: 'ACCEPTED', delivery: 'pending' }, null],
    ['assume_accepted', { status: 'ACCEPTED', delivery: 'delivered' }, 'mute'],
    ['fail_over', { status: 'ACCEPTED', delivery: 'delivered' }, 'second'],
  ] as const)(
    'is settled by on_unknown: %s when the connection broke',
    async (policy, said, who) => {
      const { account, post, sentTo } = await testbed.market({
        buyers: { mute: { answer: () => 'reset', delivery: { on_unknown: policy } }, second: {} },
      });
      const { data } = await post();
      expect(data).toMatchObject({ ...said, buyer_id: who && account.buyers[who] });
      expect(sentTo('mute')).toHaveLength(1);
      expect(sentTo('second')).toHaveLength(policy === 'fail_over' ? 1 : 0);
    },
  );

  it('is EXPIRED when its buyer finally refuses it, and its trail records that', async () => {
    const { post } = await testbed.market({
      campaign: { answer_within_ms: 200 },
      buyers: { slow: { answer: () => ({ ...NO, delayMs: 600 }) } },
    });
    const { data } = await post();
    expect(data?.delivery).toBe('pending');
    const lead = await testbed.becomes(data?.id, 'EXPIRED');
    expect(lead).toMatchObject({ sales: [], price: 0, cost: 0, buyer_id: null });
    expect(lead.trail.at(-1)).toMatchObject({ step: 'closing', result: 'EXPIRED' });
  });

  it('is EXPIRED when the cap of its source has become full meanwhile', async () => {
    const { account, post } = await testbed.market({
      campaign: { answer_within_ms: 200 },
      supplier: { caps: { daily_cap: 1 } },
      buyers: { slow: { answer: () => ({ ...NO, delayMs: 600 }) }, second: {} },
    });
    const { data } = await post();
    expect(data?.delivery).toBe('pending');
    // Another lead of the source takes its place in the cap while the first buyer thinks.
    await testbed.collections.caps.updateOne(
      { _id: `supplier:${account.campaignId}:${account.suppliers[0]?.id}` },
      { $inc: { 'day.count': 1 } },
    );
    const decided = async () => (await testbed.lead(data?.id)).decided_at !== undefined;
    await waitFor(decided, { message: 'the lead is decided' });
    expect(await testbed.lead(data?.id)).toMatchObject({ status: 'EXPIRED', sales: [] });
  });
});

describe('the same body sent again without a key', () => {
  /** Posts, and aborts the connection as soon as the buyer is asked. Returns the lead's id. */
  const postAndCut = async (market: Market, fields: Record<string, unknown>): Promise<string> => {
    const [supplier] = market.account.suppliers;
    const outgoing = request(`${testbed.url}/api/v1/ingest`, {
      method: 'POST',
      agent: false,
      headers: { 'content-type': 'application/json', 'x-api-key': supplier?.key },
    });
    outgoing.on('error', () => undefined);
    const ids = { flo_campaign_id: market.account.campaignId, flo_supplier_id: supplier?.id };
    outgoing.end(JSON.stringify({ ...ids, ...fields }));
    await waitFor(() => market.sentTo('only').length > 0, { message: 'the buyer is asked' });
    outgoing.destroy();
    return market.sentTo('only')[0]?.leadId ?? '';
  };

  const noticed = (leadId: string, withinMs?: number): Promise<unknown> => {
    const isBroken = async () => (await testbed.lead(leadId)).broken === true;
    return waitFor(isBroken, { message: 'the cut connection is noticed', timeoutMs: withinMs });
  };

  it('gets the first answer when the connection broke while the buyer was deciding', async () => {
    const slower = { ...YES, delayMs: 1_200 };
    const market = await testbed.market({ buyers: { only: { answer: () => slower } } });
    const person = aPerson();
    const leadId = await postAndCut(market, person);
    await noticed(leadId, 900);
    const again = await market.post(person);
    expect(again).toMatchObject({
      status: 201,
      data: { id: leadId, status: 'ACCEPTED', buyer_id: market.account.buyers.only },
    });
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(market.sentTo('only')).toHaveLength(1);
  });

  it('gets the first answer when the connection broke before the answer was written', async () => {
    const market = await testbed.market({ buyers: { only: { answer: () => SLOW } } });
    const person = aPerson();
    const leadId = await postAndCut(market, person);
    await testbed.becomes(leadId, 'ACCEPTED');
    await noticed(leadId);
    const again = await market.post(person);
    expect(again).toMatchObject({ status: 201, data: { id: leadId, delivery: 'delivered' } });
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(market.sentTo('only')).toHaveLength(1);
  });

  it('is a DUPLICATE when another body or another supplier sends it', async () => {
    const market = await testbed.market({ suppliers: 2, buyers: { only: { answer: () => SLOW } } });
    const person = aPerson();
    const leadId = await postAndCut(market, person);
    await testbed.becomes(leadId, 'ACCEPTED');
    await noticed(leadId);
    const answers = [
      await market.post({ ...person, first_name: 'John' }),
      await market.post(person, { supplier: 1 }),
    ];
    for (const { status, data } of answers) {
      expect({ status, data }).toMatchObject({
        status: 200,
        data: { status: 'DUPLICATE', duplicate_of: leadId },
      });
    }
  });

  it('keeps the answer it got under its own key', async () => {
    const market = await testbed.market({ buyers: { only: { answer: () => SLOW } } });
    const person = aPerson();
    const leadId = await postAndCut(market, person);
    await testbed.becomes(leadId, 'ACCEPTED');
    await noticed(leadId);
    const key = { headers: { 'idempotency-key': 'second-try' } };
    const again = await market.post(person, key);
    expect(again.data?.id).toBe(leadId);
    const oncemore = await market.post(person, key);
    expect({ status: oncemore.status, body: oncemore.body }).toEqual({
      status: again.status,
      body: again.body,
    });
  });

  it('gets the first answer when it was decided and never written', async () => {
    const { post, sentTo } = await testbed.market();
    const person = aPerson();
    const first = await post(person);
    const id = first.data?.id ?? '';
    await isMarked(id);
    expect((await post(person)).data).toMatchObject({ status: 'DUPLICATE', duplicate_of: id });
    await markNeverWritten(id, { decided_at: new Date(Date.now() - 5_500) });
    const again = await post(person);
    expect({ status: again.status, body: again.body }).toEqual({ status: 201, body: first.body });
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(sentTo('only')).toHaveLength(1);
  });

  it('gets pending when the first answer was an unknown result and the lead is still undecided', async () => {
    const gone = await startFakeBuyer();
    await gone.stop();
    const market = await testbed.market({
      buyers: { only: { delivery: { url: `${gone.url}/gone` } } },
    });
    const person = aPerson();
    const first = await market.post(person);
    const id = first.data?.id ?? '';
    await isMarked(id);
    const untoldFor = (ms: number) =>
      markNeverWritten(id, { created_at: new Date(Date.now() - ms) });
    // The original request may still be open.
    await untoldFor(1_000);
    expect((await market.post(person)).data).toMatchObject({
      status: 'DUPLICATE',
      duplicate_of: id,
    });
    await untoldFor(10_500);
    const again = await market.post(person);
    expect({ status: again.status, body: again.body }).toEqual({ status: 201, body: first.body });
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(await testbed.rows(id)).toHaveLength(1);
  });

  it('is a DUPLICATE when it arrives at the same time', async () => {
    const { post, sentTo } = await testbed.market({
      buyers: { only: { answer: () => ({ ...YES, delayMs: 200 }) } },
    });
    const person = aPerson();
    const answers = await Promise.all([post(person), post(person)]);
    expect(tally(answers.map(({ data }) => data?.status))).toEqual({ ACCEPTED: 1, DUPLICATE: 1 });
    expect(answers.map(({ headers }) => headers['idempotent-replayed'])).toEqual([
      undefined,
      undefined,
    ]);
    expect(sentTo('only')).toHaveLength(1);
  });
});
