/** Leads that wait for a buyer whose delivery their campaign comes to override. */
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { updateBuyerLink } from '../../src/account/links/buyerLinks.js';
import type { DeliveryInput } from '../../src/account/buyers/delivery.js';
import {
  becomes,
  buyerOf,
  operatorOf,
  postUntil,
  type Operator,
} from '../distribution/commands/operatorFixture.js';
import { YES } from '../support/fakeBuyer.js';
import { sideBySide } from '../support/sideBySide.js';
import { waitFor } from '../support/waitFor.js';
import { DOWN, startLaneBed, type Lane, type LaneBed } from './drainFixture.js';

describe('a lead that waits', () => {
  let lanes: LaneBed;
  let operator: Operator;
  beforeAll(async () => {
    lanes = await startLaneBed();
    operator = operatorOf(lanes);
  });
  afterAll(() => lanes.stop());
  const together = sideBySide();

  const override = async (lane: Lane, settings: DeliveryInput) => {
    const { orgId: org_id, campaignId: campaign_id } = lane.account;
    const key = { org_id, campaign_id, buyer_id: buyerOf(lane, 'first') };
    const { keyring } = lanes.bed;
    const overrides = { settings, policy: { allowPrivate: true }, keyring };
    await updateBuyerLink(lanes.bed.collections, key, { overrides });
  };
  /** Never answered by a buyer that honors the key, in a queue that is held. */
  const unanswered = async () => {
    const lane = await lanes.open({
      first: {
        answers: ({ time }) => (time === 1 ? 'hang' : YES),
        delivery: { timeout_ms: 300, honours_idempotency_key: true },
      },
      next: { answers: () => YES },
    });
    const buyer_id = buyerOf(lane, 'first');
    await operator.hold({ buyer_id });
    return { lane, buyer_id, leadId: await postUntil(lane, 'parked') };
  };
  const isHeldAsUnknown = async (lane: Lane, leadId: string) => {
    await waitFor(async () => (await lane.rows(leadId))[0]?.state === 'unknown', {
      message: 'the delivery is unknown',
    });
    expect(lane.requests('first')).toHaveLength(1);
    expect(lane.requests('next')).toEqual([]);
    expect(await lane.lead(leadId)).toMatchObject({ status: 'PENDING' });
  };

  together('is sent to the address that its campaign has by then', async () => {
    const lane = await lanes.open({ first: { answers: () => DOWN } });
    const leadId = await postUntil(lane, 'parked');
    const sent = lane.requests('first').length;
    const [own] = lane.requests('first');
    lane.behave('other', () => YES);
    const url = (await lanes.bed.collections.buyers.findOne({ _id: buyerOf(lane, 'first') }))
      ?.delivery as { url?: string };
    await override(lane, { url: (url.url ?? '').replace(/first$/, 'other') });
    await becomes(lane, leadId, 'ACCEPTED');
    expect(lane.requests('other').map((one) => one.leadId)).toEqual([leadId]);
    expect(lane.requests('other')[0]?.idempotencyKey).toBe(own?.idempotencyKey);
    expect(lane.requests('first').length).toBeGreaterThanOrEqual(sent);
  });

  together('as unknown is sent nowhere when its campaign has another address', async () => {
    const { lane, leadId, buyer_id } = await unanswered();
    await override(lane, { url: 'https://moved.example/leads' });
    await operator.retry({ buyer_id });
    await isHeldAsUnknown(lane, leadId);
  });

  together(
    'as unknown is not sent again when its campaign says the key is not honored',
    async () => {
      const { lane, leadId, buyer_id } = await unanswered();
      await override(lane, { honours_idempotency_key: false });
      await operator.retry({ buyer_id });
      await isHeldAsUnknown(lane, leadId);
    },
  );

  together('as unknown stays so whatever policy its campaign says meanwhile', async () => {
    const { lane, leadId, buyer_id } = await unanswered();
    await override(lane, { on_unknown: 'fail_over' });
    expect(await lane.rows(leadId)).toMatchObject([{ state: 'parked', unanswered: true }]);
    await operator.retry({ buyer_id });
    await becomes(lane, leadId, 'ACCEPTED');
    expect(await lane.lead(leadId)).toMatchObject({ buyer_id });
    expect(lane.requests('next')).toEqual([]);
  });
});
