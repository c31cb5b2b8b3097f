import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { NO } from '../support/fakeBuyer.js';
import { startTestbed, type Market, type Testbed } from '../support/testbed.js';

let testbed: Testbed;
beforeAll(async () => {
  testbed = await startTestbed();
});
afterAll(() => testbed.stop());

/** Posts `count` leads at once, and waits until each is sold. */
async function sell(market: Market, count: number): Promise<void> {
  const answers = await Promise.all(Array.from({ length: count }, () => market.post()));
  for (const answer of answers) expect(answer).toMatchObject({ status: 201 });
  await Promise.all(answers.map(({ data }) => testbed.becomes(data?.id, 'ACCEPTED')));
}

/** The final number of leads of each buyer. */
async function counts({ account, leads }: Market): Promise<Record<string, number>> {
  const sold = await leads();
  return Object.fromEntries(
    Object.entries(account.buyers).map(([name, id]) => [
      name,
      sold.filter(({ buyer_id }) => buyer_id === id).length,
    ]),
  );
}

describe('ROUND_ROBIN', () => {
  const campaign = { distribution_method: 'ROUND_ROBIN' as const };

  it('shares 90 concurrent leads evenly', async () => {
    const market = await testbed.market({ campaign, buyers: { a: {}, b: {}, c: {} } });
    await sell(market, 90);
    expect(await counts(market)).toEqual({ a: 30, b: 30, c: 30 });
  });

  it('skips a buyer whose cap is full, and the others share the rest evenly', async () => {
    const market = await testbed.market({
      campaign,
      buyers: { a: { caps: { daily_cap: 10 } }, b: {}, c: {} },
    });
    for (let n = 0; n < 7; n++) await sell(market, 10);
    expect(await counts(market)).toEqual({ a: 10, b: 30, c: 30 });
  });

  it('records on the trail which buyer was next, and how long each had waited', async () => {
    const market = await testbed.market({ campaign, buyers: { a: {}, b: {} } });
    await sell(market, 1);
    await sell(market, 1);
    const { a = '', b = '' } = market.account.buyers;
    const [, second] = (await market.leads()).sort((x, y) => +x.created_at - +y.created_at);
    const [first] = [a, b].sort();
    expect(second?.trail).toContainEqual(
      expect.objectContaining({
        step: 'routing',
        result: 'turn',
        buyer_id: first === a ? b : a,
        detail: { last: { [a]: first === a ? 1 : 0, [b]: first === b ? 1 : 0 } },
      }),
    );
  });
});

describe('WATERFALL', () => {
  it('shares leads between buyers of the same priority, before lower ones', async () => {
    const market = await testbed.market({
      buyers: { a: { priority: 1 }, b: { priority: 1 }, last: { priority: 2 } },
    });
    await sell(market, 20);
    expect(await counts(market)).toEqual({ a: 10, b: 10, last: 0 });
  });
});

describe('HIGHEST_BID', () => {
  it('asks the best price first, and the next when that buyer refuses', async () => {
    const market = await testbed.market({
      campaign: { distribution_method: 'HIGHEST_BID' },
      buyers: {
        low: { price: 5 },
        top: { price: 30, answer: () => NO },
        middle: { price: 12.5 },
      },
    });
    await sell(market, 3);
    expect(await counts(market)).toEqual({ low: 0, top: 0, middle: 3 });
    expect(market.sentTo('top')).toHaveLength(3);
    expect((await market.leads()).map(({ price }) => price)).toEqual([
      12_500_000, 12_500_000, 12_500_000,
    ]);
  });
});

describe('WEIGHTED', () => {
  it('gives nothing to a weight of 0, and something to every other', async () => {
    const market = await testbed.market({
      campaign: { distribution_method: 'WEIGHTED' },
      buyers: { a: { weight: 50 }, b: { weight: 50 }, none: { weight: 0 } },
    });
    await sell(market, 40);
    const { a = 0, b = 0, none } = await counts(market);
    expect([a + b, none]).toEqual([40, 0]);
    expect(Math.min(a, b)).toBeGreaterThan(0);
  });
});
