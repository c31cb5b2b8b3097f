/** Leads of a campaign whose plan only another release can read. */
import { Binary } from 'mongodb';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { BuyerTerms } from '../../src/account/rules/plan.js';
import { latestPlan, publishPlan } from '../support/plans.js';
import { startTestbed, type Market, type Testbed } from '../support/testbed.js';

let testbed: Testbed;
beforeAll(async () => {
  testbed = await startTestbed({ own: true });
});
afterAll(() => testbed.stop());

/** Publishes a version with a list of zip codes in a form that this release does not know. */
async function publishUnreadable({ account }: Market, status: 'ACTIVE' | 'PAUSED'): Promise<void> {
  const zips = { folded: new Binary(Buffer.from([1, 2, 3])) } as unknown as BuyerTerms['zips'];
  await publishPlan(testbed.collections, account, ({ buyers }) => ({
    status,
    buyers: buyers.map((terms) => ({ ...terms, zips })),
  }));
}

it('are refused while the campaign is paused', async () => {
  const market = await testbed.market({ buyers: { only: {} } });
  await publishUnreadable(market, 'PAUSED');
  const { status, body } = await market.post({ zip_code: '90210' });
  expect([status, body]).toEqual([403, expect.objectContaining({ error: 'campaign_paused' })]);
  expect(await market.leads()).toEqual([]);
});

it('are pending, and are sold once when a process reads the plan', async () => {
  const market = await testbed.market({ buyers: { only: {} } });
  const { collections } = testbed;
  await publishUnreadable(market, 'ACTIVE');
  const answer = await market.post({ zip_code: '90210' });
  expect(answer).toMatchObject({
    status: 201,
    data: { status: 'ACCEPTED', buyer_id: null, delivery: 'pending' },
  });
  expect(market.sentTo('only')).toEqual([]);

  const { _id, buyers } = await latestPlan(collections, market.account.campaignId);
  const readable = buyers.map((terms) => ({ ...terms, zips: ['90210'] }));
  await collections.plans.updateOne({ _id }, { $set: { buyers: readable } });
  // A process of its own has nothing in memory.
  await testbed.service.stop();
  await testbed.start();
  expect(await testbed.becomes(answer.data?.id, 'ACCEPTED')).toMatchObject({
    buyer_id: market.account.buyers.only,
  });
  expect(market.sentTo('only')).toHaveLength(1);
});
