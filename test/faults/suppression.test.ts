import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createActivities } from '../../activities/index.js';
import { uploadSuppressions } from '../../src/account/suppression/upload.js';
import { NO, YES } from '../support/fakeBuyer.js';
import { waitFor } from '../support/waitFor.js';
import { ago } from '../support/times.js';
import { DOWN } from '../support/fakeBuyer.js';
import { startTestbed, type Market, type Testbed } from '../support/testbed.js';
import { accountOf } from '../support/org.js';

describe('a buyer that must not get a lead', () => {
  let testbed: Testbed;
  beforeAll(async () => {
    testbed = await startTestbed();
  });
  afterAll(() => testbed.stop());

  /** Puts everyone with this email on the buyer's list. */
  const suppress = async ({ account }: Market, buyer: string, email: string) => {
    const source = (async function* () {
      yield await Promise.resolve(Buffer.from(`email\n${email}\n`));
    })();
    const target = { scope: 'buyer', buyer_id: account.buyers[buyer] ?? '' } as const;
    const list = { org_id: account.orgId, target, name: 'List', uploaded_by: 'test' };
    await uploadSuppressions(accountOf(testbed, list.org_id), list, source);
  };

  it('is not asked when the lead returns from waiting for another buyer', async () => {
    const market = await testbed.market({
      buyers: {
        first: { answer: () => DOWN },
        barred: { answer: () => YES },
      },
    });
    await suppress(market, 'barred', 'ada@example.com');
    const answer = await market.supplier.post({ email: 'ada@example.com' });
    expect(answer.data).toMatchObject({ status: 'ACCEPTED', delivery: 'pending' });
    market.behave('first', () => NO);
    const ended = async () => (await market.lead(answer.data?.id ?? '')).status === 'EXPIRED';
    await waitFor(ended, { message: 'the lead has ended unsold' });
    expect(market.sentTo('barred')).toEqual([]);
  });

  it('is not asked when a lead of a dead lease is resumed', async () => {
    const market = await testbed.market({
      buyers: {
        first: { answer: () => NO },
        barred: { answer: () => YES },
        last: { answer: () => YES },
      },
    });
    await suppress(market, 'barred', 'ada@example.com');
    const { data } = await market.supplier.post({ email: 'ada@example.com' });
    const id = data?.id ?? '';
    expect(data?.buyer_id).toBe(market.account.buyers.last);
    // As if the run had died when the first buyer had refused.
    const { leads, deliveries } = testbed.collections;
    await deliveries.deleteOne({ _id: `${id}:2` });
    await leads.updateOne(
      { _id: id },
      { $set: { status: 'NEW', run: 'dead', lease_until: ago(1_000), buyer_id: null, sales: [] } },
    );
    const { processLeads } = createActivities(testbed.service.deps);
    const { verdicts } = await processLeads({ leadIds: [id] });
    expect(verdicts).toMatchObject([{ id, status: 'ACCEPTED', buyer_id: data?.buyer_id }]);
    expect(market.sentTo('barred')).toEqual([]);
    expect(market.sentTo('last')).toHaveLength(2);
  });
});
