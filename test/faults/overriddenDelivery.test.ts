/** Leads that wait for a buyer when their campaign overrides its delivery. */
import { accountOf } from '../support/org.js';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { updateBuyerLink } from '../../src/account/links/buyerLinks.js';
import type { DeliveryInput } from '../../src/account/buyers/delivery.js';
import {
  buyerOf,
  operatorOf,
  postUntil,
  type Operator,
} from '../distribution/commands/operatorFixture.js';
import { YES } from '../support/fakeBuyer.js';
import { sideBySide } from '../support/sideBySide.js';
import { waitFor } from '../support/waitFor.js';
import { DOWN } from '../support/fakeBuyer.js';
import { startTestbed, type Market, type Testbed } from '../support/testbed.js';

describe('a lead that waits', () => {
  let testbed: Testbed;
  let operator: Operator;
  beforeAll(async () => {
    testbed = await startTestbed();
    operator = operatorOf(testbed);
  });
  afterAll(() => testbed.stop());
  const together = sideBySide();

  const override = async (market: Market, settings: DeliveryInput) => {
    const { orgId: org_id, campaignId: campaign_id } = market.account;
    const key = { org_id, campaign_id, buyer_id: buyerOf(market, 'first') };
    await updateBuyerLink(accountOf(testbed, key.org_id), key, { delivery: settings });
  };
  /** Never answered by a buyer that honors the key, in a held queue. */
  const unanswered = async () => {
    const market = await testbed.market({
      buyers: {
        first: {
          answer: ({ time }) => (time === 1 ? 'hang' : YES),
          delivery: { timeout_ms: 300, honours_idempotency_key: true },
        },
        next: { answer: () => YES },
      },
    });
    const buyer_id = buyerOf(market, 'first');
    await operator.hold({ buyer_id });
    return { market, buyer_id, leadId: await postUntil(market, 'parked') };
  };
  const isHeldAsUnknown = async (market: Market, leadId: string) => {
    await waitFor(async () => (await market.rows(leadId))[0]?.state === 'unknown', {
      message: 'the delivery is unknown',
    });
    expect(market.sentTo('first')).toHaveLength(1);
    expect(market.sentTo('next')).toEqual([]);
    expect(await market.lead(leadId)).toMatchObject({ status: 'PENDING' });
  };

  together('is sent to the address that its campaign has by then', async () => {
    const market = await testbed.market({ buyers: { first: { answer: () => DOWN } } });
    const leadId = await postUntil(market, 'parked');
    const sent = market.sentTo('first').length;
    const [own] = market.sentTo('first');
    market.behave('other', () => YES);
    const url = (await testbed.collections.buyers.findOne({ _id: buyerOf(market, 'first') }))
      ?.delivery as { url?: string };
    await override(market, { url: (url.url ?? '').replace(/first$/, 'other') });
    await market.becomes(leadId, 'ACCEPTED');
    expect(market.sentTo('other').map((one) => one.leadId)).toEqual([leadId]);
    expect(market.sentTo('other')[0]?.idempotencyKey).toBe(own?.idempotencyKey);
    expect(market.sentTo('first').length).toBeGreaterThanOrEqual(sent);
  });

  together('as unknown is sent nowhere when its campaign has another address', async () => {
    const { market, leadId, buyer_id } = await unanswered();
    await override(market, { url: 'https://moved.example/leads' });
    await operator.retry({ buyer_id });
    await isHeldAsUnknown(market, leadId);
  });

  together(
    'as unknown is not sent again when its campaign says the key is not honored',
    async () => {
      const { market, leadId, buyer_id } = await unanswered();
      await override(market, { honours_idempotency_key: false });
      await operator.retry({ buyer_id });
      await isHeldAsUnknown(market, leadId);
    },
  );

  together('as unknown stays so whatever policy its campaign says meanwhile', async () => {
    const { market, leadId, buyer_id } = await unanswered();
    await override(market, { on_unknown: 'fail_over' });
    expect(await market.rows(leadId)).toMatchObject([{ state: 'parked', unanswered: true }]);
    await operator.retry({ buyer_id });
    await market.becomes(leadId, 'ACCEPTED');
    expect(await market.lead(leadId)).toMatchObject({ buyer_id });
    expect(market.sentTo('next')).toEqual([]);
  });
});
