import { accountOf } from '../support/org.js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { updateBuyerLink, type BuyerLinkInput } from '../../src/account/links/buyerLinks.js';
import { NO, YES } from '../support/fakeBuyer.js';
import { replayAll } from '../support/replayed.js';
import { waitFor } from '../support/waitFor.js';
import { DOWN } from '../support/fakeBuyer.js';
import { startTestbed, type Testbed } from '../support/testbed.js';

const DAY_NAMES = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const HOUR_MS = 3_600_000;

/** Opens in more than a day, in any time zone. */
const closedNow = (): NonNullable<BuyerLinkInput['schedule']> => ({
  days: [DAY_NAMES[(new Date().getUTCDay() + 3) % 7] ?? 'mon'],
  from: '08:00',
  to: '18:00',
});

describe('the terms of a buyer in the durable lane', () => {
  let testbed: Testbed;
  beforeAll(async () => {
    testbed = await startTestbed();
  });
  afterAll(() => testbed.stop());

  const statusOf = async (market: Awaited<ReturnType<Testbed['market']>>, id: string) =>
    (await market.lead(id)).status;

  it('holds a lead for a closed buyer until it opens, and asks no other buyer', async () => {
    const market = await testbed.market({
      buyers: {
        closed: { schedule: closedNow(), when_closed: 'HOLD', answer: () => YES },
        other: { answer: () => YES },
      },
    });
    const { id, data } = await market.post();
    expect(data).toMatchObject({ status: 'ACCEPTED', delivery: 'pending', buyer_id: null });
    const [row] = await market.rows(id);
    expect(row).toMatchObject({ state: 'parked', reason: 'closed', tries: 0 });
    const opensInMs = Number(row?.due_at) - Date.now();
    expect(opensInMs).toBeGreaterThan(24 * HOUR_MS);
    // Its age limit counts from the buyer's opening.
    expect(Number(row?.expires_at)).toBeGreaterThan(Number(row?.due_at));
    expect([market.sentTo('closed'), market.sentTo('other')]).toEqual([[], []]);
  });

  it.each([
    ['a closed buyer', { schedule: closedNow(), when_closed: 'HOLD' as const }],
    ['a buyer that leads wait for', { when_unavailable: 'WAIT' as const }],
  ])('asks the buyers behind %s when its cap is full', async (_, terms) => {
    const market = await testbed.market({
      buyers: {
        first: { priority: 1, caps: { daily_cap: 1 }, answer: () => DOWN, ...terms },
        other: { priority: 2 },
      },
    });
    const { first: buyer_id } = market.account.buyers;
    const { destinations } = testbed.collections;
    const held = await market.post();
    expect(held.data).toMatchObject({ delivery: 'pending', buyer_id: null });
    const inAnHour = new Date(Date.now() + HOUR_MS);
    const rests = { failures: 5, paused_at: new Date(), open_until: inAnHour, retry_at: inAnHour };
    await destinations.updateOne({ _id: buyer_id ?? '' }, { $set: rests });
    const next = await market.post();
    expect(next.data).toMatchObject({
      delivery: 'delivered',
      buyer_id: market.account.buyers.other,
    });
    const { trail } = await market.lead(next.id);
    expect(trail).toContainEqual(expect.objectContaining({ step: 'caps', reason: 'buyer_cap' }));
    expect((await market.cap('first'))?.held).toEqual([]);
    const { campaignId } = market.account;
    expect(await replayAll(testbed.collections, { campaignId })).toEqual({
      count: 2,
      different: [],
    });
  });

  it('offers a lead that waited to the next buyers as they are now', async () => {
    const market = await testbed.market({
      buyers: {
        first: { priority: 1, when_unavailable: 'WAIT', answer: () => DOWN },
        paused: { priority: 2 },
        lowered: { priority: 3, caps: { daily_cap: 100 } },
        shut: { priority: 4 },
        last: { priority: 5 },
      },
    });
    const { orgId: org_id, campaignId: campaign_id, buyers } = market.account;
    const edit = (name: string, terms: BuyerLinkInput) =>
      updateBuyerLink(
        accountOf(testbed, org_id),
        { campaign_id, buyer_id: buyers[name] ?? '' },
        terms,
      );
    const posted = [await market.post(), await market.post()];
    expect(posted.map(({ data }) => data?.delivery)).toEqual(['pending', 'pending']);
    await edit('paused', { status: 'paused' });
    await edit('lowered', { daily_cap: 1 });
    await edit('shut', { schedule: closedNow() });
    market.behave('first', () => NO);
    await waitFor(
      async () =>
        (await Promise.all(posted.map(({ id }) => statusOf(market, id)))).every(
          (status) => status === 'ACCEPTED',
        ),
      { message: 'both are sold', timeoutMs: 40_000 },
    );
    const sold = ['paused', 'lowered', 'shut', 'last'].map((name) => market.sentTo(name).length);
    expect(sold).toEqual([0, 1, 0, 1]);
    expect(await replayAll(testbed.collections, { campaignId: campaign_id })).toEqual({
      count: 2,
      different: [],
    });
  });

  it('passes over a closed buyer when leads are not held for it', async () => {
    const market = await testbed.market({
      buyers: {
        closed: { schedule: closedNow(), answer: () => YES },
        other: { answer: () => YES },
      },
    });
    const { id, data } = await market.post();
    expect(data).toMatchObject({ delivery: 'delivered', buyer_id: market.account.buyers.other });
    expect((await market.lead(id)).trail).toContainEqual(
      expect.objectContaining({ result: 'skipped', reason: 'closed' }),
    );
  });

  it('offers a lead to the next buyer when the first refuses, and holds it if that one is closed', async () => {
    const market = await testbed.market({
      buyers: {
        first: { answer: () => NO },
        closed: { schedule: closedNow(), when_closed: 'HOLD', answer: () => YES },
      },
    });
    const { id } = await market.post();
    expect(await market.rows(id)).toMatchObject([
      { state: 'rejected' },
      { state: 'parked', reason: 'closed', buyer_id: market.account.buyers.closed },
    ]);
  });

  it('drains at most as fast as the buyer allows', async () => {
    const market = await testbed.market({
      buyers: {
        slow: { delivery: { max_per_second: 4, max_concurrent: 10 }, answer: () => DOWN },
      },
    });
    const posted = await Promise.all(Array.from({ length: 8 }, () => market.post()));
    const before = market.sentTo('slow').length;
    market.behave('slow', () => YES);
    await waitFor(
      async () =>
        (await Promise.all(posted.map(({ id }) => statusOf(market, id)))).every(
          (status) => status === 'ACCEPTED',
        ),
      { message: 'all are sold', timeoutMs: 40_000 },
    );
    const times = market
      .sentTo('slow')
      .slice(before)
      .map(({ at }) => at);
    // The first is a probe; after it one every 250 ms. Any of them may be late without delaying the next.
    const drained = times.slice(-7);
    const tookMs = (drained.at(-1) ?? 0) - (drained[0] ?? 0);
    expect(tookMs).toBeGreaterThan(6 * 250 - 250);
  });

  it('records the price in the answer, and counts it in the budget', async () => {
    const market = await testbed.market({
      buyers: {
        names: {
          price: 10,
          caps: { daily_budget: 100 },
          delivery: { response: { price_path: 'price' } },
          answer: () => ({ status: 200, body: { price: 12.5 } }),
        },
      },
      campaign: {},
    });
    const { id, data } = await market.post();
    expect(data?.delivery).toBe('delivered');
    const lead = await market.lead(id);
    expect(lead).toMatchObject({ price: 12_500_000, sales: [{ price: 12_500_000 }] });
    expect(lead.cost + lead.profit).toBe(12_500_000);
    expect(await market.rows(id)).toMatchObject([{ state: 'accepted', price: 12_500_000 }]);
    expect(await market.cap('names')).toMatchObject({
      day: { count: 1, amount: 12_500_000 },
      total: { amount: 12_500_000 },
      held: [],
    });
  });
});
