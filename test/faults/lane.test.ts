import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BuyerLinkInput } from '../../src/account/links/buyerLinks.js';
import { NO, YES } from '../support/fakeBuyer.js';
import { waitFor } from '../support/waitFor.js';
import { DOWN, startLaneBed, type LaneBed } from './drainFixture.js';

const DAY_NAMES = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const HOUR_MS = 3_600_000;

/** Open in two days only, by any clock on earth. */
const closedNow = (): NonNullable<BuyerLinkInput['schedule']> => ({
  days: [DAY_NAMES[(new Date().getUTCDay() + 3) % 7] ?? 'mon'],
  from: '08:00',
  to: '18:00',
});

describe('the terms of a buyer in the durable lane', () => {
  let lanes: LaneBed;
  beforeAll(async () => {
    lanes = await startLaneBed();
  });
  afterAll(() => lanes.stop());

  const statusOf = async (lane: Awaited<ReturnType<LaneBed['open']>>, id: string) =>
    (await lane.lead(id))?.status;

  it('holds a lead for a closed buyer until it opens, and asks nobody else', async () => {
    const lane = await lanes.open({
      closed: { link: { schedule: closedNow(), when_closed: 'HOLD' }, answers: () => YES },
      other: { answers: () => YES },
    });
    const { id, data } = await lane.post();
    expect(data).toMatchObject({ status: 'ACCEPTED', delivery: 'pending', buyer_id: null });
    const [row] = await lane.rows(id);
    expect(row).toMatchObject({ state: 'parked', reason: 'closed', tries: 0 });
    const opensInMs = Number(row?.due_at) - Date.now();
    expect(opensInMs).toBeGreaterThan(24 * HOUR_MS);
    // Its age begins when the buyer opens.
    expect(Number(row?.expires_at)).toBeGreaterThan(Number(row?.due_at));
    expect([lane.requests('closed'), lane.requests('other')]).toEqual([[], []]);
  });

  it('passes a closed buyer by when leads are not held for it', async () => {
    const lane = await lanes.open({
      closed: { link: { schedule: closedNow() }, answers: () => YES },
      other: { answers: () => YES },
    });
    const { id, data } = await lane.post();
    expect(data).toMatchObject({ delivery: 'delivered', buyer_id: lane.account.buyers.other });
    expect((await lane.lead(id))?.trail).toContainEqual(
      expect.objectContaining({ result: 'skipped', reason: 'closed' }),
    );
  });

  it('asks for the next buyer when the first refuses, and holds for one that is closed then', async () => {
    const lane = await lanes.open({
      first: { answers: () => NO },
      closed: { link: { schedule: closedNow(), when_closed: 'HOLD' }, answers: () => YES },
    });
    const { id } = await lane.post();
    expect(await lane.rows(id)).toMatchObject([
      { state: 'rejected' },
      { state: 'parked', reason: 'closed', buyer_id: lane.account.buyers.closed },
    ]);
  });

  it('drains no faster than the buyer allows', async () => {
    const lane = await lanes.open({
      slow: { delivery: { max_per_second: 4, max_concurrent: 10 }, answers: () => DOWN },
    });
    const posted = await Promise.all(Array.from({ length: 8 }, () => lane.post()));
    const before = lane.requests('slow').length;
    lane.behave('slow', () => YES);
    await waitFor(
      async () =>
        (await Promise.all(posted.map(({ id }) => statusOf(lane, id)))).every(
          (status) => status === 'ACCEPTED',
        ),
      { message: 'all are sold', timeoutMs: 40_000 },
    );
    const times = lane
      .requests('slow')
      .slice(before)
      .map(({ at }) => at);
    // The first is a probe; from then on one every 250 ms. Any of them may be late, and the next is then not.
    const drained = times.slice(-7);
    const tookMs = (drained.at(-1) ?? 0) - (drained[0] ?? 0);
    expect(tookMs).toBeGreaterThan(6 * 250 - 250);
  });

  it('books the price that the answer names, and counts it in the budget', async () => {
    const lane = await lanes.open(
      {
        names: {
          link: { price: 10, caps: { daily_budget: 100 } },
          delivery: { response: { price_path: 'price' } },
          answers: () => ({ status: 200, body: { price: 12.5 } }),
        },
      },
      {},
    );
    const { id, data } = await lane.post();
    expect(data?.delivery).toBe('delivered');
    const lead = await lane.lead(id);
    expect(lead).toMatchObject({ price: 12_500_000, sales: [{ price: 12_500_000 }] });
    expect((lead?.cost ?? 0) + (lead?.profit ?? 0)).toBe(12_500_000);
    expect(await lane.rows(id)).toMatchObject([{ state: 'accepted', price: 12_500_000 }]);
    expect(await lane.cap('names')).toMatchObject({
      day: { count: 1, amount: 12_500_000 },
      total: { amount: 12_500_000 },
      held: [],
    });
  });
});
