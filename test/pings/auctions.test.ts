import { signingSecretPlace } from '../../src/account/rules/sealedPlaces.js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isSigned } from '../../src/platform/security/signatures.js';
import { bidsOf, startPingScene, type PingScene } from './pingScene.js';

const bid = (bid_price: unknown, more = {}) => ({ status: 200, body: { bid_price, ...more } });

describe('an auction among buyers with ping settings', () => {
  let scene: PingScene;

  beforeAll(async () => {
    scene = await startPingScene();
  });
  afterAll(() => scene.stop());

  it('is won by the best bid, live or not, and ends without those that never answer', async () => {
    const market = await scene.market({
      buyers: {
        static: { price: 20 },
        high: { live: () => bid(31.25, { reference: 'ref-1' }) },
        low: { live: () => bid('12.5') },
        never: { live: () => 'hang' },
        broken: { live: () => ({ status: 503 }) },
        silly: { live: () => bid('a lot') },
        no: { live: () => bid(50, { accepted: false }) },
      },
      terms: { cost_mode: 'NONE' },
      ping: { margin: { percent: 20 } },
    });
    const reply = await market.ping();
    expect(bidsOf(reply, market)).toEqual(['high 25', 'static 16', 'low 10']);
    const [stored] = await market.stored();
    expect(stored?.bids[0]).toMatchObject({
      source: 'live',
      price: 31_250_000,
      net: 25_000_000,
      bid: 25_000_000,
      reference: 'ref-1',
      latency_ms: expect.any(Number) as unknown as number,
    });
    const unbid = stored?.unbid.map((one) => `${market.nameOf(one.buyer_id)} ${one.reason}`);
    expect(unbid?.sort()).toEqual([
      'broken http_503',
      'never late',
      'no declined',
      'silly malformed',
    ]);
  });

  it('asks with what the buyer may see, signed', async () => {
    const market = await scene.market({
      campaign: {
        fields: [
          { name: 'case_type', type: 'String', required: true, ping_required: true },
          { name: 'budget', type: 'Number', required: false, ping_required: false },
          { name: 'secret', type: 'String', required: false, ping_required: false },
        ],
      },
      buyers: { live: { live: () => bid(9) } },
    });
    await market.change(({ buyers }) => ({
      buyers: buyers.map((one) => ({
        ...one,
        ...(one.ping ? { ping: { ...one.ping, fields: ['budget'] } } : {}),
      })),
    }));
    await market.ping({
      case_type: 'injury',
      budget: '70',
      secret: 'no',
      phone: '4155550100',
      unmapped: 'x',
    });
    const [asked] = market.askedOf('live');
    const [stored] = await market.stored();
    expect(asked?.body).toEqual({
      ping_id: stored?._id,
      campaign_id: market.account.campaignId,
      is_test: false,
      case_type: 'injury',
      budget: 70,
    });
    expect(asked?.headers['x-ping-id']).toBe(stored?._id);
    const { live = '' } = market.account.buyers;
    const buyer = await scene.bed.collections.buyers.findOne({ _id: live });
    if (!buyer) throw new Error('There is no such buyer');
    const secret = scene.bed.keyring.open(buyer.signing_secret, signingSecretPlace(buyer._id));
    const signature = String(asked?.headers['x-leaddistro-signature']);
    expect(isSigned(secret, asked?.rawBody ?? '', signature)).toBe(true);
  });

  it('delays no other ping', async () => {
    const [slow, quick] = await Promise.all([
      scene.market({ buyers: { never: { live: () => 'hang' } }, ping: { deadline_ms: 2_000 } }),
      scene.market(),
    ]);
    await slow.change(({ buyers }) => ({
      buyers: buyers.map((one) => ({
        ...one,
        ...(one.ping ? { ping: { ...one.ping, timeout_ms: 2_000 } } : {}),
      })),
    }));
    let isOver = false;
    const waiting = Promise.all(Array.from({ length: 8 }, () => slow.ping())).then((replies) => {
      isOver = true;
      return replies.map((reply) => bidsOf(reply, slow));
    });
    for (let n = 0; n < 2; n++) expect(bidsOf(await quick.ping(), quick)).toEqual(['only 4']);
    expect(isOver).toBe(false);
    // A busy machine may be late with some.
    const ends = await waiting;
    expect(ends).toContain('no_buyer');
    expect(ends.filter((end) => end !== 'no_buyer' && end !== 'unavailable')).toEqual([]);
  });

  it('does not ask a buyer that is in a cooldown, capped, or in Test Mode', async () => {
    const market = await scene.market({
      buyers: {
        capped: { live: () => bid(9), terms: { daily_ping_cap: 0 } },
        tester: { live: () => bid(9), terms: { test_mode: true } },
        asked: { live: () => bid(8) },
      },
    });
    expect(bidsOf(await market.ping(), market)).toEqual(['asked 4']);
    expect(bidsOf(await market.ping({ test_lead: true }), market)).toEqual(['tester 4']);
    expect(market.askedOf('capped')).toEqual([]);
    expect(market.askedOf('tester').map(({ body }) => body.is_test)).toEqual([true]);
    expect(market.askedOf('asked')).toHaveLength(1);
  });
});
