import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createActivities } from '../../../activities/index.js';
import { NO, YES } from '../../support/fakeBuyer.js';
import { replayAll } from '../../support/replayed.js';
import { waitFor } from '../../support/waitFor.js';
import { ago } from '../../support/times.js';
import type { BuyerSpec } from '../../support/market.js';
import { startTestbed, type Testbed } from '../../support/testbed.js';
import { buyerOf, operatorOf, postUntil, type Operator } from './operatorFixture.js';

/** Never answers, and its leads are held. */
const SILENT: BuyerSpec = {
  answer: () => 'hang',
  delivery: { timeout_ms: 300, on_unknown: 'hold' },
};

describe('a delivery that was never answered', () => {
  let testbed: Testbed;
  let operator: Operator;
  beforeAll(async () => {
    testbed = await startTestbed();
    operator = operatorOf(testbed);
  });
  afterAll(() => testbed.stop());

  it('is not sent again by any retry, nor held by an operator', async () => {
    const market = await testbed.market({ buyers: { silent: SILENT } });
    const lead_id = await postUntil(market, 'unknown');
    for (const action of ['retry', 'hold'] as const) {
      await expect(operator[action]({ lead_id })).rejects.toMatchObject({
        code: 'unknown_delivery',
        message: expect.stringMatching(/may have it, so it is not sent again\. .* then resolve/),
      });
    }
    const done = await operator.retry({ buyer_id: buyerOf(market, 'silent') });
    expect(done).toMatchObject({ rows: 0, unknown: 1 });
    await waitFor(
      async () => (await market.drainOf('silent').describe()).status.name === 'RUNNING',
      {
        message: 'its drain waits for the end of the hold',
      },
    );
    expect(market.sentTo('silent')).toHaveLength(1);
  });

  it('is recorded as a sale with its price when the buyer has it', async () => {
    const market = await testbed.market({
      buyers: {
        silent: { ...SILENT, caps: { daily_cap: 1 } },
        next: { answer: () => YES },
      },
    });
    const lead_id = await postUntil(market, 'unknown');
    const buyer_id = buyerOf(market, 'silent');
    const input = { lead_id, buyer_id, result: 'accepted', by: 'ada', note: 'by phone' } as const;
    const done = await operator.resolve(input);
    expect(done).toMatchObject({ rows: 1, lead: { status: 'ACCEPTED', buyer_id } });
    const lead = await market.lead(lead_id);
    expect(lead).toMatchObject({
      status: 'ACCEPTED',
      buyer_id,
      price: 10_000_000,
      cost: 4_000_000,
      run: null,
      sales: [{ buyer_id, attempt: 1, price: 10_000_000 }],
    });
    expect(lead.trail).toContainEqual(
      expect.objectContaining({
        step: 'delivery',
        result: 'resolved',
        reason: 'accepted',
        buyer_id,
        detail: { command: done.id, attempt: 1, by: 'ada', note: 'by phone' },
      }),
    );
    const times = lead.trail.map(({ at }) => Number(at));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(await market.rows(lead_id)).toMatchObject([{ state: 'accepted', reason: 'resolved' }]);
    expect(await market.cap('silent')).toMatchObject({
      day: { count: 1, amount: 10_000_000 },
      held: [],
    });
    expect(market.sentTo('next')).toHaveLength(0);
    // Repeating the command gives the same result; the opposite decision is refused.
    expect(await operator.resolve(input)).toMatchObject({ rows: 1, lead: { status: 'ACCEPTED' } });
    await expect(operator.resolve({ ...input, result: 'rejected' })).rejects.toMatchObject({
      code: 'already_resolved',
      message: `Lead ${lead_id} is already accepted by this buyer.`,
    });
    expect((await market.lead(lead_id)).sales).toHaveLength(1);
  });

  it('goes to the next buyer when the buyer does not have it', async () => {
    const market = await testbed.market({
      buyers: {
        silent: SILENT,
        no: { answer: () => NO },
        yes: { answer: () => YES },
      },
    });
    const lead_id = await postUntil(market, 'unknown');
    const input = { lead_id, buyer_id: buyerOf(market, 'silent'), result: 'rejected' } as const;
    const done = await operator.resolve(input);
    expect(done).toMatchObject({ lead: { status: 'ACCEPTED', buyer_id: buyerOf(market, 'yes') } });
    expect(await market.rows(lead_id)).toMatchObject([
      { state: 'rejected', reason: 'resolved' },
      { state: 'rejected' },
      { state: 'accepted' },
    ]);
    expect(await market.cap('silent')).toMatchObject({ total: { count: 0 }, held: [] });
    expect(await market.cap('yes')).toMatchObject({ total: { count: 1 }, held: [] });
    await expect(operator.resolve({ ...input, result: 'accepted' })).rejects.toMatchObject({
      code: 'already_resolved',
    });
  });

  it('expires when no other buyer accepts it', async () => {
    const market = await testbed.market({ buyers: { silent: SILENT, no: { answer: () => NO } } });
    const lead_id = await postUntil(market, 'unknown');
    const buyer_id = buyerOf(market, 'silent');
    await operator.resolve({ lead_id, buyer_id, result: 'rejected' });
    await market.becomes(lead_id, 'EXPIRED');
    expect(await market.cap('silent')).toMatchObject({ total: { count: 0 }, held: [] });
  });

  it('is sold on to further buyers where the plan allows it', async () => {
    const market = await testbed.market({
      buyers: { silent: SILENT, next: { answer: () => YES } },
      campaign: { max_sells: 2 },
    });
    const lead_id = await postUntil(market, 'unknown');
    const buyer_id = buyerOf(market, 'silent');
    await operator.resolve({ lead_id, buyer_id, result: 'accepted' });
    await market.becomes(lead_id, 'ACCEPTED');
    expect((await market.lead(lead_id)).sales.map((sale) => sale.buyer_id)).toEqual([
      buyer_id,
      buyerOf(market, 'next'),
    ]);
  });

  it('is resolved once, one way, whatever concurrent commands say', async () => {
    const market = await testbed.market({ buyers: { silent: SILENT } });
    const lead_id = await postUntil(market, 'unknown');
    const buyer_id = buyerOf(market, 'silent');
    const said = await Promise.allSettled(
      Array.from({ length: 8 }, (_, n) =>
        operator.resolve({ lead_id, buyer_id, result: n % 2 ? 'accepted' : 'rejected' }),
      ),
    );
    await waitFor(async () => (await market.lead(lead_id)).status !== 'PENDING', {
      message: 'it is decided',
    });
    const codes = said.map((one) =>
      one.status === 'fulfilled' ? 'done' : (one.reason as { code: string }).code,
    );
    expect(codes).toContain('done');
    expect(codes.filter((code) => !['done', 'busy', 'already_resolved'].includes(code))).toEqual(
      [],
    );
    const [row] = await market.rows(lead_id);
    const isSold = row?.state === 'accepted';
    expect(await market.lead(lead_id)).toMatchObject({ status: isSold ? 'ACCEPTED' : 'EXPIRED' });
    expect(await market.cap('silent')).toMatchObject({
      total: { count: isSold ? 1 : 0 },
      held: [],
    });
  });

  it('is shown as resolved to a reader while another command resolves it', async () => {
    const market = await testbed.market({ buyers: { silent: SILENT } });
    const lead_id = await postUntil(market, 'unknown');
    const buyer_id = buyerOf(market, 'silent');
    const { deps } = testbed.service;
    const getMany = async (ids: readonly string[]) => {
      await operator.resolve({ lead_id, buyer_id, result: 'rejected' });
      await market.becomes(lead_id, 'EXPIRED');
      return deps.leads.getMany(ids);
    };
    const slow = { ...deps, leads: { ...deps.leads, getMany } };
    const order = { id: randomUUID(), buyer_id, lead_id, action: 'resolve' } as const;
    expect(
      await createActivities(slow).commandQueue({ ...order, result: 'accepted' }),
    ).toMatchObject({ refused: 'already_resolved' });
  });

  it('is resolved when its lease died before it abandoned the request', async () => {
    const market = await testbed.market({ buyers: { silent: SILENT } });
    const lead_id = await postUntil(market, 'unknown');
    await testbed.collections.deliveries.updateOne(
      { _id: `${lead_id}:1` },
      { $set: { state: 'sending', run: 'dead', answer_by: ago(1_000) } },
    );
    const buyer_id = buyerOf(market, 'silent');
    await expect(operator.drop({ lead_id })).rejects.toMatchObject({ code: 'being_sent' });
    const done = await operator.resolve({ lead_id, buyer_id, result: 'accepted' });
    expect(done.lead).toMatchObject({ status: 'ACCEPTED', buyer_id });
  });

  it('has nothing to resolve where it was answered, or waits to be sent', async () => {
    const market = await testbed.market({ buyers: { down: { answer: () => ({ status: 503 }) } } });
    const lead_id = await postUntil(market, 'parked');
    const down = { lead_id, buyer_id: buyerOf(market, 'down'), result: 'accepted' } as const;
    await expect(operator.resolve(down)).rejects.toMatchObject({ code: 'not_waiting' });
    await expect(operator.resolve({ ...down, buyer_id: 'another' })).rejects.toMatchObject({
      code: 'not_waiting',
      message: `Lead ${lead_id} does not wait for buyer another: it is PENDING.`,
    });
  });

  it('leaves trails that decide every lead again in the same way', async () => {
    expect((await replayAll(testbed.collections)).different).toEqual([]);
  });
});
