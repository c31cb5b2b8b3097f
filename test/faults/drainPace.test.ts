/** What delays a drain: rows that cannot be sent, other buyers, and another drain of the same buyer. */
import { accountOf } from '../support/org.js';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { createActivities } from '../../activities/index.js';
import { linkBuyer } from '../../src/account/links/buyerLinks.js';
import { createCampaign } from '../../src/account/campaigns/campaigns.js';
import { linkSupplier } from '../../src/account/links/supplierLinks.js';
import {
  buyerOf,
  operatorOf,
  postUntil,
  type Operator,
} from '../distribution/commands/operatorFixture.js';
import { NO, YES } from '../support/fakeBuyer.js';
import { sideBySide } from '../support/sideBySide.js';
import { waitFor } from '../support/waitFor.js';
import { ago } from '../support/times.js';
import { DOWN } from '../support/fakeBuyer.js';
import { startTestbed, type Market, type Testbed } from '../support/testbed.js';

describe('the queue of a buyer', () => {
  let testbed: Testbed;
  let operator: Operator;
  beforeAll(async () => {
    testbed = await startTestbed();
    operator = operatorOf(testbed);
  });
  afterAll(() => testbed.stop());
  const together = sideBySide();

  /** Another campaign of the market, in which the link of the buyer is paused. Returns its id and plan version. */
  const pausedCampaign = async ({ account }: Market, buyer_id: string) => {
    const { collections } = testbed;
    const { orgId: org_id, suppliers } = account;
    const made = { name: `Paused ${randomUUID()}`, status: 'ACTIVE' } as const;
    const { _id: campaign_id } = await createCampaign(accountOf({ collections }, org_id), made);
    const ids = { org_id, campaign_id };
    const supplier_id = suppliers[0]?.id ?? '';
    await linkSupplier(
      accountOf({ collections }, ids.org_id),
      { ...ids, supplier_id },
      { cost_per_lead: 1 },
    );
    await linkBuyer(
      accountOf({ collections }, ids.org_id),
      { ...ids, buyer_id },
      { price: 2, status: 'paused' },
    );
    const { plan_version } = (await collections.campaigns.findOne({ _id: campaign_id })) ?? {};
    return { campaign_id, plan_version: plan_version ?? 0 };
  };

  together(
    'is sent though hundreds of newer rows in front of it cannot be, and those are put off',
    async () => {
      const market = await testbed.market({
        buyers: {
          only: { answer: () => DOWN, delivery: { max_concurrent: 1 } },
        },
      });
      const buyer_id = buyerOf(market, 'only');
      const good = await postUntil(market, 'parked');
      await operator.hold({ buyer_id });
      const paused = await pausedCampaign(market, buyer_id);
      const { leads, deliveries } = testbed.collections;
      const [lead, [row]] = [await market.lead(good), await market.rows(good)];
      if (!row) throw new Error('The lead is not stored');
      const ids = Array.from({ length: 300 }, () => randomUUID());
      await leads.insertMany(ids.map((_id) => ({ ...lead, ...paused, _id })));
      const { campaign_id } = paused;
      const created_at = new Date();
      await deliveries.insertMany(
        ids.map((lead_id) => ({
          ...row,
          campaign_id,
          lead_id,
          created_at,
          _id: `${lead_id}:1`,
        })),
      );
      market.behave('only', () => YES);
      await operator.retry({ buyer_id });
      await waitFor(async () => (await market.lead(good)).status === 'ACCEPTED', {
        message: 'the lead that can be sent is sold',
        timeoutMs: 15_000,
      });
      const putOff = { campaign_id, state: 'parked' as const, due_at: { $gt: new Date() } };
      await waitFor(async () => (await deliveries.countDocuments(putOff)) === 300, {
        message: 'the others are out of the way',
      });
      expect(await leads.countDocuments({ campaign_id, status: 'PENDING', run: null })).toBe(300);
    },
  );

  together('does not wait for the buyers that its refused leads go on to', async () => {
    let isWell = false;
    const market = await testbed.market({
      buyers: {
        first: {
          answer: () => (isWell ? NO : DOWN),
          when_unavailable: 'WAIT',
          delivery: { max_concurrent: 1 },
        },
        slow: { answer: () => 'hang', delivery: { timeout_ms: 8_000, on_unknown: 'hold' } },
      },
    });
    const buyer_id = buyerOf(market, 'first');
    await operator.hold({ buyer_id });
    for (let n = 0; n < 4; n++) await postUntil(market, 'parked');
    isWell = true;
    await operator.retry({ buyer_id });
    await waitFor(() => Promise.resolve(market.sentTo('slow').length === 4), {
      message: 'all four are with the slow buyer',
      timeoutMs: 20_000,
    });
    const times = market.sentTo('slow').map(({ at }) => at);
    expect(Math.max(...times) - Math.min(...times)).toBeLessThan(8_000);
  });

  together('is never sent by two drains at once beyond what the buyer bears', async () => {
    let isWell = false;
    let [open, most] = [0, 0];
    const market = await testbed.market({
      buyers: {
        only: {
          delivery: { max_concurrent: 2 },
          answer: () => {
            if (!isWell) return DOWN;
            most = Math.max(most, ++open);
            setTimeout(() => (open -= 1), 300);
            return { ...YES, delayMs: 301 };
          },
        },
      },
    });
    const buyer_id = buyerOf(market, 'only');
    await operator.hold({ buyer_id });
    await Promise.all(Array.from({ length: 16 }, () => market.post()));
    isWell = true;
    const { destinations, deliveries } = testbed.collections;
    const rested = { failures: 0, held: false, open_until: null, retry_at: null };
    await deliveries.updateMany({ buyer_id, state: 'parked' }, { $set: { due_at: ago(1) } });
    await destinations.updateOne({ _id: buyer_id }, { $set: rested });
    const ofOther = () =>
      createActivities(testbed.service.deps).drainDestination({ buyerId: buyer_id });
    const first = ofOther();
    await waitFor(() => Promise.resolve(open === 2), {
      message: 'a drain sends',
      timeoutMs: 5_000,
      intervalMs: 5,
    });
    await Promise.all([first, ofOther(), ofOther()]);
    await operator.retry({ buyer_id });
    await waitFor(
      async () => (await deliveries.countDocuments({ buyer_id, state: 'accepted' })) === 16,
      { message: 'all are sold', timeoutMs: 15_000 },
    );
    expect(most).toBe(2);
    await waitFor(
      async () => (await destinations.findOne({ _id: buyer_id }))?.sending?.length === 0,
      { message: 'nothing is open any more' },
    );
  });
});
