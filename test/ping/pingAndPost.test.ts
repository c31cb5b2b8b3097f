/** A ping and the post to it, both as a supplier sends them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { request } from 'undici';
import { DEFAULT_PING_SETTINGS } from '../../src/domain/ping/settings.js';
import { startScene, type Market, type Scene } from '../intake/scene.js';
import { aPerson } from '../support/supplier.js';
import { buyerId, MICROS, pingMarket } from './pingMarket.js';

interface PingReply {
  accepted: boolean;
  ping_id: string;
  buyers: { buyer_id: string; bid_price: number }[];
}

describe('a ping and its post', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await startScene();
  });
  afterAll(() => scene.stop());

  const sendPing = async ({ account }: Market, fields: Record<string, unknown>) => {
    const [supplier] = account.suppliers;
    const ids = { flo_campaign_id: account.campaignId, flo_supplier_id: supplier?.id };
    const reply = await request(`${scene.url}/api/v1/ping`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': supplier?.key ?? '' },
      body: JSON.stringify({ ...ids, ...fields }),
    });
    return (await reply.body.json()) as PingReply;
  };

  it('bring what was bid, from the buyer that was shown, for a lead that is written otherwise', async () => {
    const one = await pingMarket(scene, { buyers: { low: { price: 8 }, high: { price: 12 } } });
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
    expect(await scene.lead(data?.id)).toMatchObject({ price: 12 * MICROS, cost: 4 * MICROS });
    expect((await one.post(post)).status).toBe(400);
  });

  it('know a buyer by the same id where buyers are not revealed', async () => {
    const one = await pingMarket(scene, { buyers: { low: { price: 8 }, high: { price: 12 } } });
    const { collections } = scene.bed;
    const ofCampaign = { campaign_id: one.account.campaignId };
    const ping = { ...DEFAULT_PING_SETTINGS, reveal_buyers: false };
    await collections.plans.updateMany(ofCampaign, { $set: { ping } });
    const { ping_id, buyers } = await sendPing(one, { state: 'CA' });
    const second = buyers[1]?.buyer_id;
    expect(second).toMatch(/^b_/);
    const { data } = await one.post({ flo_ping_id: ping_id, flo_buyer_id: second });
    expect(data?.buyer_id).toBe(second);
    expect((await scene.lead(data?.id)).buyer_id).toBe(buyerId(one, 'low'));
  });
});
