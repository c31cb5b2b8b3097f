import { accountOf } from '../support/org.js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { updateBuyerLink } from '../../src/account/links/buyerLinks.js';
import { NO, YES } from '../support/fakeBuyer.js';
import { aPerson } from '../support/supplier.js';
import { startTestbed, type Market, type Testbed } from '../support/testbed.js';

let testbed: Testbed;
beforeAll(async () => {
  testbed = await startTestbed();
});
afterAll(() => testbed.stop());

const campaign = { dedupe: { on_duplicate: 'ROUTE_TO_ORIGINAL' as const } };
const linkOf = ({ account }: Market, name: string) => ({
  org_id: account.orgId,
  campaign_id: account.campaignId,
  buyer_id: account.buyers[name] ?? '',
});

/** Sells a person to the buyer `second`, and then lets `first` accept leads again. */
async function soldToSecond(): Promise<{
  market: Market;
  original: string;
  person: Record<string, string>;
}> {
  let says = NO;
  const market = await testbed.market({
    campaign,
    buyers: { first: { answer: () => says }, second: { price: 7 } },
  });
  const person = aPerson();
  const { data } = await market.post(person);
  expect(data).toMatchObject({ status: 'ACCEPTED', buyer_id: market.account.buyers.second });
  says = YES;
  return { market, original: data?.id ?? '', person };
}

describe('a campaign that routes duplicates to the original buyer', () => {
  it('sells the repeat to the buyer of the first lead, at its price, and names that lead', async () => {
    const { market, original, person } = await soldToSecond();
    const { status, data } = await market.post({ ...person, email: 'other@example.com' });
    const { second } = market.account.buyers;
    expect([status, data]).toEqual([
      201,
      {
        id: expect.any(String),
        status: 'ACCEPTED',
        buyer_id: second,
        campaign_id: market.account.campaignId,
        delivery: 'delivered',
        duplicate_of: original,
      },
    ]);
    expect(data?.id).not.toBe(original);
    expect(await testbed.lead(data?.id)).toMatchObject({ price: 7_000_000, route_to: second });
    expect(market.sentTo('first')).toHaveLength(1);
    const caps = await testbed.collections.caps.findOne({
      _id: `buyer:${market.account.campaignId}:${second}`,
    });
    expect(caps).toMatchObject({ total: { count: 2, amount: 14_000_000 } });
  });

  it.each([
    ['is paused', { status: 'paused' as const }],
    ['has no room', { total_cap: 1 }],
    ['takes other states only', { states: ['NV'] }],
  ])('is UNMATCHED when that buyer %s, and no other buyer is asked', async (_name, change) => {
    const { market, original, person } = await soldToSecond();
    await updateBuyerLink(
      accountOf(testbed, linkOf(market, 'second').org_id),
      linkOf(market, 'second'),
      change,
    );
    const { status, data } = await market.post({ ...person, last_name: 'Changed' });
    expect([status, data]).toEqual([
      200,
      expect.objectContaining({ status: 'UNMATCHED', buyer_id: null, duplicate_of: original }),
    ]);
    expect(market.sentTo('first')).toHaveLength(1);
  });

  it('is UNMATCHED when that buyer refuses it', async () => {
    const answers = [YES, NO];
    const market = await testbed.market({
      campaign,
      buyers: { first: { answer: () => answers.shift() ?? NO }, second: {} },
    });
    const person = aPerson();
    await market.post(person);
    const { data } = await market.post({ ...person, last_name: 'Changed' });
    expect(data).toMatchObject({ status: 'UNMATCHED', buyer_id: null });
    expect(market.sentTo('second')).toHaveLength(0);
  });

  it('is UNMATCHED while no buyer has the first lead', async () => {
    const market = await testbed.market({
      campaign: { ...campaign, answer_within_ms: 300 },
      buyers: { slow: { answer: () => ({ ...YES, delayMs: 3_000 }) } },
    });
    const person = aPerson();
    const { data: first } = await market.post(person);
    expect(first?.delivery).toBe('pending');
    const { data } = await market.post({ ...person, last_name: 'Changed' });
    expect(data).toMatchObject({ status: 'UNMATCHED', duplicate_of: first?.id });
    expect((await testbed.lead(data?.id)).trail).toContainEqual(
      expect.objectContaining({ step: 'duplicates', reason: 'original_undecided' }),
    );
  });

  it('waits for that buyer when it is down, and sells to it later', async () => {
    let isDown = false;
    const market = await testbed.market({
      campaign,
      buyers: { first: { answer: () => (isDown ? { status: 503 } : YES) }, second: {} },
    });
    const person = aPerson();
    const { data: original } = await market.post(person);
    isDown = true;
    const { data } = await market.post({ ...person, last_name: 'Changed' });
    expect(data).toMatchObject({ delivery: 'pending', duplicate_of: original?.id });
    isDown = false;
    const lead = await testbed.becomes(data?.id, 'ACCEPTED');
    expect(lead.buyer_id).toBe(market.account.buyers.first);
    expect(market.sentTo('second')).toHaveLength(0);
  });
});
