/** A ping and the post to it, both as a supplier sends them. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { request } from 'undici';
import { DEFAULT_PING_SETTINGS } from '../../src/account/rules/pingSettings.js';
import { startTestbed, type Market, type Testbed } from '../support/testbed.js';
import { rawNumber } from '../support/rawNumber.js';
import { aPerson } from '../support/supplier.js';
import { buyerId, CA, MICROS, pingMarket } from './pingMarket.js';

interface PingReply {
  accepted: boolean;
  ping_id: string;
  buyers: { buyer_id: string; bid_price: number }[];
}

describe('a ping and its post', () => {
  let testbed: Testbed;
  beforeAll(async () => {
    testbed = await startTestbed();
  });
  afterAll(() => testbed.stop());

  const sendPing = async ({ account }: Market, fields: Record<string, unknown>) => {
    const [supplier] = account.suppliers;
    const ids = { flo_campaign_id: account.campaignId, flo_supplier_id: supplier?.id };
    const reply = await request(`${testbed.url}/api/v1/ping`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': supplier?.key ?? '' },
      body: JSON.stringify({ ...ids, ...fields }),
    });
    return (await reply.body.json()) as PingReply;
  };

  it('earn the bid, from the buyer that was shown, for a lead in another format', async () => {
    const one = await pingMarket(testbed, { buyers: { low: { price: 8 }, high: { price: 12 } } });
    const person = aPerson();
    const { ping_id, buyers } = await sendPing(one, { state: 'ca', phone: person.phone });
    expect(buyers).toEqual([
      { buyer_id: buyerId(one, 'high'), bid_price: 4 },
      { buyer_id: buyerId(one, 'low'), bid_price: 4 },
    ]);
    const phone = `+1 (${person.phone?.slice(0, 3)}) ${person.phone?.slice(3)}`;
    const post = { ...person, state: 'CA', phone, flo_ping_id: ping_id };
    const { data } = await one.post(post);
    expect(data?.buyer_id).toBe(buyers[0]?.buyer_id);
    expect(await testbed.lead(data?.id)).toMatchObject({ price: 12 * MICROS, cost: 4 * MICROS });
    expect((await one.post(post)).status).toBe(400);
  });

  it("go to the next bid when the best buyer's filters refuse the whole lead", async () => {
    const nearby = {
      all: [{ id: 'f', field: 'zip_code', operator: '==' as const, value: '94104' }],
    };
    for (const terms of [{ states: ['TX'] }, { filters: nearby }]) {
      const buyers = { low: { price: 8 }, high: { price: 12, ...terms } };
      const one = await pingMarket(testbed, { buyers });
      const bids = await sendPing(one, {});
      expect(bids.buyers.map(({ buyer_id }) => buyer_id)).toEqual([
        buyerId(one, 'high'),
        buyerId(one, 'low'),
      ]);
      const { data } = await one.post({ ...CA, zip_code: '94103', flo_ping_id: bids.ping_id });
      expect(data?.buyer_id).toBe(buyerId(one, 'low'));
      expect(one.sentTo('high')).toEqual([]);
    }
  });

  it('agree on an id of many digits by all of them', async () => {
    const click = {
      name: 'click_id',
      type: 'String',
      required: false,
      ping_required: false,
    } as const;
    const one = await testbed.market({
      campaign: { routing_method: 'PING_POST', fields: [click] },
    });
    const click_id = rawNumber('7615917337430043418');
    const { ping_id: flo_ping_id } = await sendPing(one, { ...CA, click_id });
    const post = (id: unknown) => one.post({ ...CA, flo_ping_id, click_id: id });
    const other = await post(rawNumber('7615917337430043419'));
    expect([other.status, other.body.field_errors]).toEqual([
      400,
      [expect.objectContaining({ field: 'click_id', code: 'mismatch' })],
    ]);
    expect((await post('7615917337430043418')).status).toBe(201);
  });

  it('have separate rate limits', async () => {
    const one = await pingMarket(testbed, {
      supplier: { rate_limit: { per_second: 1, burst_per_second: 1, burst_seconds: 1 } },
    });
    const { suppliers, versions } = testbed.collections;
    const ping_rate_limit = { per_second: 5, burst_per_second: 10, burst_seconds: 1 };
    const _id = one.account.suppliers[0]?.id ?? '';
    await suppliers.updateOne({ _id }, { $set: { ping_rate_limit } });
    await versions.updateOne({ _id: one.account.orgId }, { $inc: { version: 1 } });
    const pings = await Promise.all(Array.from({ length: 40 }, () => sendPing(one, CA)));
    const answered = pings.filter(({ accepted }) => accepted);
    // More than one a second, the rate of leads, and no more than the rate of pings.
    expect(answered.length).toBeGreaterThan(1);
    expect(answered.length).toBeLessThan(40);
    const [first] = answered;
    expect((await one.post({ ...CA, flo_ping_id: first?.ping_id })).status).toBe(201);
  });

  it('show a buyer under the same alias where buyers are not revealed', async () => {
    const one = await pingMarket(testbed, { buyers: { low: { price: 8 }, high: { price: 12 } } });
    const { collections } = testbed;
    const ofCampaign = { campaign_id: one.account.campaignId };
    const ping = { ...DEFAULT_PING_SETTINGS, reveal_buyers: false };
    await collections.plans.updateMany(ofCampaign, { $set: { ping } });
    const { ping_id, buyers } = await sendPing(one, { state: 'CA' });
    const second = buyers[1]?.buyer_id;
    expect(second).toMatch(/^b_/);
    const { data } = await one.post({ flo_ping_id: ping_id, flo_buyer_id: second });
    expect(data?.buyer_id).toBe(second);
    expect((await testbed.lead(data?.id)).buyer_id).toBe(buyerId(one, 'low'));
  });
});
