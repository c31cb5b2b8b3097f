/** A request that was never answered by a buyer that honors the key, whose settings are changed while it waits. */
import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { DeliveryInput } from '../../src/account/buyers/delivery.js';
import { updateBuyer } from '../../src/account/buyers/buyers.js';
import {
  becomes,
  buyerOf,
  operatorOf,
  postUntil,
  type Operator,
} from '../distribution/commands/operatorFixture.js';
import { YES } from '../support/fakeBuyer.js';
import { replayAll } from '../support/replayed.js';
import { sideBySide } from '../support/sideBySide.js';
import { waitFor } from '../support/waitFor.js';
import { startLaneBed, type Lane, type LaneBed } from './drainFixture.js';

describe('an unanswered delivery to a buyer that honors the key', () => {
  let lanes: LaneBed;
  let operator: Operator;
  beforeAll(async () => {
    lanes = await startLaneBed();
    operator = operatorOf(lanes);
  });
  afterAll(() => lanes.stop());
  const together = sideBySide();

  /** A lead that waits to be sent again, in a queue that is held; the buyer is well again. */
  const waiting = async (delivery: Partial<DeliveryInput> = {}) => {
    const lane = await lanes.open({
      silent: {
        answers: ({ time }) => (time === 1 ? 'hang' : YES),
        delivery: { timeout_ms: 300, honours_idempotency_key: true, ...delivery },
        link: { caps: { daily_cap: 1 } },
      },
      next: { answers: () => YES },
    });
    await operator.hold({ buyer_id: buyerOf(lane, 'silent') });
    const leadId = await postUntil(lane, 'parked');
    expect(await lane.rows(leadId)).toMatchObject([
      { state: 'parked', unanswered: true, tries: 1 },
    ]);
    return { lane, leadId, buyer_id: buyerOf(lane, 'silent') };
  };
  const change = async (lane: Lane, delivery: DeliveryInput) => {
    const { collections, keyring } = lanes.bed;
    const { orgId } = lane.account;
    const policy = { allowPrivate: true };
    await updateBuyer(collections, keyring, policy, orgId, buyerOf(lane, 'silent'), { delivery });
  };
  const MOVED = { url: 'https://moved.example/leads' };
  const rowIs = (lane: Lane, leadId: string, state: string) =>
    waitFor(
      async () =>
        (await lane.rows(leadId))[0]?.state === state && (await lane.lead(leadId))?.run === null,
      { message: `the delivery is ${state}` },
    );

  /** Holds end beside the sale, so a lead may be seen as sold a moment before. */
  const capIs = (lane: Lane, name: string, count: number) =>
    waitFor(
      async () => {
        const cap = await lane.cap(name);
        return cap?.total.count === count && cap.held.length === 0;
      },
      { message: `${count} is counted for ${name}, and nothing held` },
    );

  together('is sent again under its key while nothing has changed', async () => {
    const { lane, leadId, buyer_id } = await waiting();
    await change(lane, { timeout_ms: 400 });
    await operator.retry({ buyer_id });
    await becomes(lane, leadId, 'ACCEPTED');
    const keys = lane.requests('silent').map(({ idempotencyKey }) => idempotencyKey);
    expect(keys).toEqual([`${leadId}:${buyer_id}`, `${leadId}:${buyer_id}`]);
  });

  together(
    'is held as unknown, and counts in the caps, when it is not honored any more',
    async () => {
      const { lane, leadId, buyer_id } = await waiting();
      await change(lane, { honours_idempotency_key: false, hold_max_age_ms: 60_000 });
      await operator.retry({ buyer_id });
      await rowIs(lane, leadId, 'unknown');
      expect(lane.requests('silent')).toHaveLength(1);
      expect(await lane.lead(leadId)).toMatchObject({ status: 'PENDING' });
      await capIs(lane, 'silent', 1);
      const done = await operator.resolve({ lead_id: leadId, buyer_id, result: 'accepted' });
      expect(done.lead).toMatchObject({ status: 'ACCEPTED', buyer_id });
      await capIs(lane, 'silent', 1);
    },
  );

  together('is not sent to another address: its policy goes on to the next buyer', async () => {
    const { lane, leadId, buyer_id } = await waiting({ on_unknown: 'fail_over' });
    await change(lane, MOVED);
    await operator.retry({ buyer_id });
    await becomes(lane, leadId, 'ACCEPTED');
    expect(await lane.lead(leadId)).toMatchObject({ buyer_id: buyerOf(lane, 'next') });
    expect(await lane.rows(leadId)).toMatchObject([{ state: 'abandoned' }, { state: 'accepted' }]);
    expect(lane.requests('silent')).toHaveLength(1);
    await capIs(lane, 'silent', 0);
    await capIs(lane, 'next', 1);
  });

  together('is not sent by another method: its policy may count it as sold', async () => {
    const { lane, leadId, buyer_id } = await waiting({ on_unknown: 'assume_accepted' });
    await change(lane, { method: 'STORE' });
    await operator.retry({ buyer_id });
    await becomes(lane, leadId, 'ACCEPTED');
    expect(await lane.lead(leadId)).toMatchObject({ buyer_id, price: 10_000_000 });
    expect(await lane.rows(leadId)).toMatchObject([{ state: 'accepted', tries: 1 }]);
    await capIs(lane, 'silent', 1);
  });

  together('is settled by an operator while it waits, either way', async () => {
    const [one, other] = await Promise.all([waiting(), waiting()]);
    const { buyer_id } = one;
    const yes = await operator.resolve({ lead_id: one.leadId, buyer_id, result: 'accepted' });
    expect(yes.lead).toMatchObject({ status: 'ACCEPTED', buyer_id });
    await capIs(one.lane, 'silent', 1);
    const no = await operator.resolve({
      ...{ lead_id: other.leadId, buyer_id: other.buyer_id, result: 'rejected' },
    });
    expect(no.lead).toMatchObject({ status: 'ACCEPTED', buyer_id: buyerOf(other.lane, 'next') });
    await capIs(other.lane, 'silent', 0);
    expect(other.lane.requests('silent')).toHaveLength(1);
  });

  together('leaves a trail by which the lead is decided again as it was', async () => {
    const { lane, leadId, buyer_id } = await waiting({ on_unknown: 'fail_over' });
    await change(lane, MOVED);
    await operator.retry({ buyer_id });
    await becomes(lane, leadId, 'ACCEPTED');
    const { campaignId } = lane.account;
    const replays = await replayAll(lanes.bed.collections, { campaignId });
    expect(replays).toMatchObject({ count: 1, different: [] });
  });
});
