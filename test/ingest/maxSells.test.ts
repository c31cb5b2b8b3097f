import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { NO, YES } from '../support/fakeBuyer.js';
import { startTestbed, type Market, type Testbed } from '../support/testbed.js';

let testbed: Testbed;
beforeAll(async () => {
  testbed = await startTestbed();
});
afterAll(() => testbed.stop());

const TWO = { max_sells: 2 };
const DOWN = { status: 503 };
const capOf = (id: string) => testbed.collections.caps.findOne({ _id: id });

/** The names of the lead's buyers, in the order of the sales. */
async function owners({ account }: Market, leadId: string | undefined): Promise<string[]> {
  const names = new Map(Object.entries(account.buyers).map(([name, id]) => [id, name]));
  return (await testbed.lead(leadId)).sales.map(({ buyer_id }) => names.get(buyer_id) ?? '');
}

describe('a campaign that sells each lead to two buyers', () => {
  it('sells to the two best, and sums what they pay; a fixed cost is paid once', async () => {
    const market = await testbed.market({
      campaign: TWO,
      supplier: { cost_mode: 'FIXED', cost_per_lead: 4 },
      buyers: { a: { price: 10 }, b: { price: 7 }, c: { price: 99 } },
    });
    const { data, status } = await market.post();
    expect([status, data?.status, data?.buyer_id]).toEqual([
      201,
      'ACCEPTED',
      market.account.buyers.a,
    ]);
    const lead = await testbed.becomes(data?.id, 'ACCEPTED');
    expect(lead).toMatchObject({
      buyer_id: market.account.buyers.a,
      price: 17_000_000,
      cost: 4_000_000,
      profit: 13_000_000,
      sales: [{ cost: 4_000_000 }, { cost: 0 }],
      run: null,
    });
    expect(await owners(market, data?.id)).toEqual(['a', 'b']);
    expect(market.sentTo('c')).toHaveLength(0);
    expect(await testbed.rows(data?.id)).toMatchObject([
      { state: 'accepted', cost: 4_000_000 },
      { state: 'accepted', cost: 0, further: true },
    ]);
  });

  it('does not keep the supplier waiting for the second sale', async () => {
    const market = await testbed.market({
      campaign: TWO,
      buyers: { a: {}, slow: { answer: () => ({ ...YES, delayMs: 4_000 }) } },
    });
    const { data } = await market.post();
    expect(data).toMatchObject({ status: 'ACCEPTED', delivery: 'delivered' });
    expect(await testbed.lead(data?.id)).toMatchObject({ status: 'SELLING' });
    expect(await owners(market, data?.id)).toEqual(['a']);
    await testbed.becomes(data?.id, 'ACCEPTED');
    expect(await owners(market, data?.id)).toEqual(['a', 'slow']);
  });

  it('skips buyers that refuse, and accepts a single sale when no other buyer accepts', async () => {
    const market = await testbed.market({
      campaign: TWO,
      buyers: { no: { answer: () => NO }, yes: {}, never: { answer: () => NO } },
    });
    const { data } = await market.post();
    const lead = await testbed.becomes(data?.id, 'ACCEPTED');
    expect(await owners(market, data?.id)).toEqual(['yes']);
    expect(lead.trail.at(-1)).toMatchObject({ step: 'closing', reason: 'no_more_buyers' });
  });

  it('waits with the second sale for a buyer that is down, without a pending answer', async () => {
    let isDown = true;
    const market = await testbed.market({
      campaign: TWO,
      buyers: { a: {}, late: { answer: () => (isDown ? DOWN : YES) } },
    });
    const { data } = await market.post();
    expect(data).toMatchObject({ status: 'ACCEPTED', delivery: 'delivered' });
    const waiting = await testbed.becomes(data?.id, 'SELLING');
    expect(waiting).not.toHaveProperty('pending_at');
    isDown = false;
    await testbed.becomes(data?.id, 'ACCEPTED');
    expect(await owners(market, data?.id)).toEqual(['a', 'late']);
  });

  it('counts and charges a later acceptance of its first buyer as a further sale', async () => {
    let isDown = true;
    const market = await testbed.market({
      campaign: { ...TWO, caps: { daily_cap: 5 } },
      supplier: { cost_mode: 'FIXED', cost_per_lead: 4, caps: { daily_cap: 5, daily_budget: 20 } },
      buyers: { late: { price: 10, answer: () => (isDown ? DOWN : YES) }, b: { price: 7 } },
    });
    const { data } = await market.post();
    await testbed.becomes(data?.id, 'SELLING');
    isDown = false;
    const lead = await testbed.becomes(data?.id, 'ACCEPTED');
    expect(await owners(market, data?.id)).toEqual(['b', 'late']);
    expect(lead).toMatchObject({ price: 17_000_000, cost: 4_000_000, profit: 13_000_000 });
    const [late] = await testbed.rows(data?.id);
    expect(late).toMatchObject({ n: 1, state: 'accepted', cost: 0, further: true });
    const { campaignId, suppliers } = market.account;
    const day = (amount: number) => ({ day: { count: 1, amount }, held: [] });
    expect(await capOf(`campaign:${campaignId}`)).toMatchObject(day(17_000_000));
    const supplier = `supplier:${campaignId}:${suppliers[0]?.id ?? ''}`;
    expect(await capOf(supplier)).toMatchObject(day(4_000_000));
  });

  it('has each step on its trail once', async () => {
    const market = await testbed.market({ campaign: TWO, buyers: { a: {}, b: {} } });
    const { data } = await market.post();
    const { trail } = await testbed.becomes(data?.id, 'ACCEPTED');
    expect(trail.map(({ step, result }) => `${step} ${result}`)).toEqual([
      'received valid',
      'filters passed',
      'routing ranked',
      'delivery accepted',
      'closing ACCEPTED',
      'delivery accepted',
      'closing ACCEPTED',
    ]);
  });

  it('is UNMATCHED when no buyer accepts it', async () => {
    const market = await testbed.market({
      campaign: TWO,
      buyers: { a: { answer: () => NO }, b: { answer: () => NO } },
    });
    expect((await market.post()).data).toMatchObject({ status: 'UNMATCHED', buyer_id: null });
  });

  it('counts a lead once with its supplier and campaign, and each sale with its buyer', async () => {
    const market = await testbed.market({
      campaign: { ...TWO, caps: { daily_cap: 30, daily_budget: 10_000 } },
      supplier: { caps: { daily_cap: 20 }, cost_mode: 'REVENUE_SHARE', revenue_share: 50 },
      buyers: { a: { price: 10 }, b: { price: 6 } },
    });
    const answers = await Promise.all(Array.from({ length: 30 }, () => market.post()));
    const sold = answers.filter(({ status }) => status === 201);
    expect(sold).toHaveLength(20);
    await Promise.all(sold.map(({ data }) => testbed.becomes(data?.id, 'ACCEPTED')));
    const { account } = market;
    const supplier = `supplier:${account.campaignId}:${account.suppliers[0]?.id ?? ''}`;
    const day = (count: number, amount: number) => ({
      day: { count, amount: amount * 1_000_000 },
      held: [],
    });
    expect(await capOf(supplier)).toMatchObject(day(20, 20 * 8));
    expect(await capOf(`campaign:${account.campaignId}`)).toMatchObject(day(20, 20 * 16));
    const buyerCap = (name: string) => `buyer:${account.campaignId}:${account.buyers[name] ?? ''}`;
    expect(await capOf(buyerCap('a'))).toMatchObject(day(20, 200));
    expect(await capOf(buyerCap('b'))).toMatchObject(day(20, 120));
  });
});
