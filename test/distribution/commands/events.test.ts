import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { YES } from '../../support/fakeBuyer.js';
import { waitFor } from '../../support/waitFor.js';
import { ago } from '../../support/times.js';
import { startTestbed, type Market, type Testbed } from '../../support/testbed.js';
import { buyerOf, operatorOf, postUntil } from './operatorFixture.js';

const DOWN = { status: 503 };

describe('the events of a breaker', () => {
  let testbed: Testbed;
  beforeAll(async () => {
    testbed = await startTestbed();
  });
  afterAll(() => testbed.stop());

  const typesOf = async (market: Market, name: string) => {
    const found = await testbed.collections.events
      .find({ 'data.buyer_id': buyerOf(market, name) })
      .sort({ created_at: 1 })
      .toArray();
    return found.map(({ type }) => type);
  };

  it('are recorded once when many requests to a buyer fail at once, and once when it answers again', async () => {
    const market = await testbed.market({ buyers: { only: { answer: () => DOWN } } });
    await Promise.all(Array.from({ length: 50 }, () => market.post()));
    await waitFor(async () => (await typesOf(market, 'only')).length > 0, {
      message: 'it is paused',
    });
    const buyer_id = buyerOf(market, 'only');
    const { destinations, events } = testbed.collections;
    // Probes fail, and it stays paused.
    await operatorOf(testbed).retry({ buyer_id });
    await waitFor(async () => ((await destinations.findOne({ _id: buyer_id }))?.probes ?? 0) > 0, {
      message: 'a probe has failed',
    });
    expect(await typesOf(market, 'only')).toEqual(['buyer.paused']);
    market.behave('only', () => YES);
    await operatorOf(testbed).retry({ buyer_id });
    await waitFor(async () => (await typesOf(market, 'only')).includes('buyer.resumed'), {
      message: 'it is well again',
    });
    expect(await typesOf(market, 'only')).toEqual(['buyer.paused', 'buyer.resumed']);
    expect(await events.findOne({ _id: `evt_${buyer_id}_1` })).toMatchObject({
      org_id: market.account.orgId,
      type: 'buyer.paused',
      data: { buyer_id, until: expect.any(Date), reason: 'http_503' },
    });
    await waitFor(
      async () =>
        (await testbed.collections.leads.countDocuments({
          campaign_id: market.account.campaignId,
          status: 'ACCEPTED',
        })) === 50,
      { message: 'all are sold' },
    );
    expect(await destinations.findOne({ _id: buyer_id })).toMatchObject({
      events: [],
      paused_at: null,
      probes: 0,
    });
  });

  it('are moved by reconcile where their writer died, and not before they are 10 s old', async () => {
    const market = await testbed.market({ buyers: { only: { answer: () => DOWN } } });
    await postUntil(market, 'parked');
    const buyer_id = buyerOf(market, 'only');
    const leave = (created_at: Date, n: number) =>
      testbed.collections.destinations.updateOne(
        { _id: buyer_id },
        {
          $push: {
            events: {
              _id: `evt_${buyer_id}_${n}`,
              org_id: market.account.orgId,
              created_at,
              type: 'buyer.paused',
              data: { buyer_id, until: null, failures: 5, reason: 'http_503' },
            },
          },
        },
      );
    await leave(ago(5_000), 100);
    expect(await testbed.repair()).toMatchObject({ event: 0 });
    await leave(ago(11_000), 101);
    expect(await testbed.repair()).toMatchObject({ event: 2 });
    expect(await testbed.repair()).toMatchObject({ event: 0 });
    expect(await typesOf(market, 'only')).toHaveLength(2);
  });
});
