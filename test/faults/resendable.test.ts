/** A request never answered by a buyer that honors the key, whose settings change while it waits. */
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { DeliveryInput } from '../../src/account/buyers/delivery.js';
import { updateBuyer } from '../../src/account/buyers/buyers.js';
import {
  buyerOf,
  operatorOf,
  postUntil,
  type Operator,
} from '../distribution/commands/operatorFixture.js';
import { YES } from '../support/fakeBuyer.js';
import { replayAll } from '../support/replayed.js';
import { sideBySide } from '../support/sideBySide.js';
import { waitFor } from '../support/waitFor.js';
import { startTestbed, type Market, type Testbed } from '../support/testbed.js';
import { accountOf } from '../support/org.js';

describe('an unanswered delivery to a buyer that honors the key', () => {
  let testbed: Testbed;
  let operator: Operator;
  beforeAll(async () => {
    testbed = await startTestbed();
    operator = operatorOf(testbed);
  });
  afterAll(() => testbed.stop());
  const together = sideBySide();

  /** A lead that waits to be sent again, in a held queue; the buyer has recovered. */
  const waiting = async (delivery: Partial<DeliveryInput> = {}) => {
    const market = await testbed.market({
      buyers: {
        silent: {
          answer: ({ time }) => (time === 1 ? 'hang' : YES),
          delivery: { timeout_ms: 300, honours_idempotency_key: true, ...delivery },
          caps: { daily_cap: 1 },
        },
        next: { answer: () => YES },
      },
    });
    await operator.hold({ buyer_id: buyerOf(market, 'silent') });
    const leadId = await postUntil(market, 'parked');
    expect(await market.rows(leadId)).toMatchObject([
      { state: 'parked', unanswered: true, tries: 1 },
    ]);
    return { market, leadId, buyer_id: buyerOf(market, 'silent') };
  };
  const change = async (market: Market, delivery: DeliveryInput) => {
    const { collections, keyring } = testbed;
    const { orgId } = market.account;
    await updateBuyer(accountOf({ collections, keyring }, orgId), buyerOf(market, 'silent'), {
      delivery,
    });
  };
  const MOVED = { url: 'https://moved.example/leads' };
  const rowIs = (market: Market, leadId: string, state: string) =>
    waitFor(
      async () =>
        (await market.rows(leadId))[0]?.state === state && (await market.lead(leadId)).run === null,
      { message: `the delivery is ${state}` },
    );

  /** Reservations end after the sale, so a lead may be seen as sold a moment earlier. */
  const capIs = (market: Market, name: string, count: number) =>
    waitFor(
      async () => {
        const cap = await market.cap(name);
        return cap?.total.count === count && cap.held.length === 0;
      },
      { message: `${count} is counted for ${name}, and nothing held` },
    );

  together('is sent again under its key while nothing has changed', async () => {
    const { market, leadId, buyer_id } = await waiting();
    await change(market, { timeout_ms: 400 });
    await operator.retry({ buyer_id });
    await market.becomes(leadId, 'ACCEPTED');
    const keys = market.sentTo('silent').map(({ idempotencyKey }) => idempotencyKey);
    expect(keys).toEqual([`${leadId}:${buyer_id}`, `${leadId}:${buyer_id}`]);
  });

  together(
    'is held as unknown, and counts in the caps, when the key is no longer honored',
    async () => {
      const { market, leadId, buyer_id } = await waiting();
      await change(market, { honours_idempotency_key: false, hold_max_age_ms: 60_000 });
      await operator.retry({ buyer_id });
      await rowIs(market, leadId, 'unknown');
      expect(market.sentTo('silent')).toHaveLength(1);
      expect(await market.lead(leadId)).toMatchObject({ status: 'PENDING' });
      await capIs(market, 'silent', 1);
      const done = await operator.resolve({ lead_id: leadId, buyer_id, result: 'accepted' });
      expect(done.lead).toMatchObject({ status: 'ACCEPTED', buyer_id });
      await capIs(market, 'silent', 1);
    },
  );

  together('is not sent to another address: its policy goes on to the next buyer', async () => {
    const { market, leadId, buyer_id } = await waiting({ on_unknown: 'fail_over' });
    await change(market, MOVED);
    await operator.retry({ buyer_id });
    await market.becomes(leadId, 'ACCEPTED');
    expect(await market.lead(leadId)).toMatchObject({ buyer_id: buyerOf(market, 'next') });
    expect(await market.rows(leadId)).toMatchObject([
      { state: 'abandoned' },
      { state: 'accepted' },
    ]);
    expect(market.sentTo('silent')).toHaveLength(1);
    await capIs(market, 'silent', 0);
    await capIs(market, 'next', 1);
  });

  together('is not sent by another method: its policy may count it as sold', async () => {
    const { market, leadId, buyer_id } = await waiting({ on_unknown: 'assume_accepted' });
    await change(market, { method: 'STORE' });
    await operator.retry({ buyer_id });
    await market.becomes(leadId, 'ACCEPTED');
    expect(await market.lead(leadId)).toMatchObject({ buyer_id, price: 10_000_000 });
    expect(await market.rows(leadId)).toMatchObject([{ state: 'accepted', tries: 1 }]);
    await capIs(market, 'silent', 1);
  });

  together('is settled by an operator while it waits, either way', async () => {
    const [one, other] = await Promise.all([waiting(), waiting()]);
    const { buyer_id } = one;
    const yes = await operator.resolve({ lead_id: one.leadId, buyer_id, result: 'accepted' });
    expect(yes.lead).toMatchObject({ status: 'ACCEPTED', buyer_id });
    await capIs(one.market, 'silent', 1);
    const no = await operator.resolve({
      lead_id: other.leadId,
      buyer_id: other.buyer_id,
      result: 'rejected',
    });
    expect(no.lead).toMatchObject({ status: 'ACCEPTED', buyer_id: buyerOf(other.market, 'next') });
    await capIs(other.market, 'silent', 0);
    expect(other.market.sentTo('silent')).toHaveLength(1);
  });

  together('leaves a trail by which the lead is decided again as it was', async () => {
    const { market, leadId, buyer_id } = await waiting({ on_unknown: 'fail_over' });
    await change(market, MOVED);
    await operator.retry({ buyer_id });
    await market.becomes(leadId, 'ACCEPTED');
    const { campaignId } = market.account;
    const replays = await replayAll(testbed.collections, { campaignId });
    expect(replays).toMatchObject({ count: 1, different: [] });
  });
});
