import { accountOf } from '../../support/org.js';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createCampaign } from '../../../src/account/campaigns/campaigns.js';
import { linkBuyer } from '../../../src/account/links/buyerLinks.js';
import { linkSupplier } from '../../../src/account/links/supplierLinks.js';
import { updateBuyer } from '../../../src/account/buyers/buyers.js';
import type { Deps } from '../../../src/app/deps.js';
import type { ResaleAnswer } from '../../../src/leads/rules/resale.js';
import { buyerId, MICROS, pingFor, pingMarket } from '../../pings/pingMarket.js';
import { NO } from '../../support/fakeBuyer.js';
import { replayAll } from '../../support/replayed.js';
import { startTestbed, type Market, type Testbed } from '../../support/testbed.js';
import { waitFor } from '../../support/waitFor.js';

const ZONE = { timeZone: 'America/New_York' };

let testbed: Testbed;
let deps: Deps;
beforeAll(async () => {
  testbed = await startTestbed();
  deps = testbed.service.deps;
});
afterAll(() => testbed.stop());

const sell = async (lead_id: string, campaign_id: string, id: string = randomUUID()) =>
  deps.redistribute({ id, lead: await testbed.lead(lead_id), campaign_id });
const madeBy = (answer: ResaleAnswer): string => {
  if (!('lead_id' in answer)) throw new Error(JSON.stringify(answer));
  return answer.lead_id;
};
/** Repeats the order until nothing stands in its way, as those who give orders do. */
const sold = async (lead_id: string, campaign_id: string): Promise<string> => {
  const id = randomUUID();
  let made = '';
  await waitFor(
    async () => {
      const answer = await sell(lead_id, campaign_id, id);
      made = 'busy' in answer ? '' : madeBy(answer);
      return made !== '';
    },
    { message: 'the order is carried out' },
  );
  return made;
};
/** Another campaign with these buyers of the market, each for a price. */
const another = async ({ account }: Market, prices: Record<string, number>): Promise<string> => {
  const { orgId, buyers, suppliers } = account;
  const name = `Other ${randomUUID()}`;
  const { _id } = await createCampaign(accountOf(testbed, orgId), { name, status: 'ACTIVE' });
  const ids = { org_id: orgId, campaign_id: _id };
  for (const [buyer, price] of Object.entries(prices))
    await linkBuyer(
      accountOf(testbed, ids.org_id),
      { ...ids, buyer_id: buyers[buyer] ?? '' },
      { price },
    );
  const supplier_id = suppliers[0]?.id ?? '';
  await linkSupplier(accountOf(testbed, ids.org_id), { ...ids, supplier_id }, { cost_per_lead: 3 });
  return _id;
};

describe('a resold lead in a campaign that answers pings', () => {
  it('goes to the best price, not to a buyer that bids live, and is decided again in the same way', async () => {
    const market = await pingMarket(testbed, {
      ...ZONE,
      supplier: { cost_mode: 'REVENUE_SHARE', revenue_share: 50 },
      buyers: { best: { price: 20 }, live: { price: 0 }, low: { price: 7 }, high: { price: 9 } },
    });
    const { orgId, campaignId } = market.account;
    const live = buyerId(market, 'live');
    await updateBuyer(accountOf(testbed, orgId), live, {
      ping: { url: `${testbed.buyers.url}/ping` },
    });
    const { token } = await pingFor(testbed, market, { bidders: { best: { price: 20, bid: 10 } } });
    const { id } = await market.post({ flo_ping_id: token, state: 'CA' });
    const resold = await testbed.becomes(madeBy(await sell(id, campaignId)), 'ACCEPTED');
    expect(resold).toMatchObject({
      buyer_id: buyerId(market, 'high'),
      price: 9 * MICROS,
      cost: 0,
      resale: { static_bids: true, replaces: true, paid: true },
    });
    expect(resold.trail).toContainEqual(
      expect.objectContaining({ buyer_id: live, result: 'skipped', reason: 'bids_live' }),
    );
    expect(market.sentTo('live')).toEqual([]);
    const replays = await replayAll(testbed.collections, { campaignId });
    expect(replays).toMatchObject({ count: 2, different: [] });
  });
});

describe('leads with the same data', () => {
  it('reach no buyer twice, though two orders sell them in two campaigns at once', async () => {
    const market = await testbed.market({
      ...ZONE,
      buyers: {
        refuses: { answer: () => NO },
        shared: { states: ['NV'] },
        other: { states: ['NV'] },
      },
    });
    const [b, c] = [
      await another(market, { shared: 9 }),
      await another(market, { shared: 8, other: 1 }),
    ];
    for (let n = 0; n < 5; n++) {
      const { id } = await market.post({ state: 'CA' });
      expect((await testbed.lead(id)).status).toBe('UNMATCHED');
      const both = await Promise.all([b, c].map((campaign) => sold(id, campaign)));
      const made = await Promise.all(
        both.map(async (one) => {
          await waitFor(async () => (await testbed.lead(one)).decided_at !== undefined, {
            message: 'it is decided',
          });
          return testbed.lead(one);
        }),
      );
      const buyers = made.flatMap(({ sales }) => sales.map(({ buyer_id }) => buyer_id));
      expect(buyers).toContain(buyerId(market, 'shared'));
      expect(new Set(buyers).size).toBe(buyers.length);
      expect(made.map(({ resale }) => [resale?.root, resale?.nth]).sort()).toEqual([
        [id, 1],
        [id, 2],
      ]);
    }
    expect(market.sentTo('shared')).toHaveLength(5);
  });

  it('are sold again one after the other, and not before the first is sold to all its buyers', async () => {
    const market = await testbed.market({ ...ZONE, buyers: { first: {}, second: {} } });
    const campaign = await another(market, { second: 9 });
    const { id } = await market.post();
    const { leads } = testbed.collections;
    const busy = {
      busy: 'A lead with these data is still being sold: one buyer could get the same person twice.',
    };
    await leads.updateOne({ _id: id }, { $set: { status: 'SELLING' } });
    expect(await sell(id, campaign)).toEqual(busy);
    expect(await leads.countDocuments({ 'resale.root': id })).toBe(0);
    await leads.updateOne({ _id: id }, { $set: { status: 'ACCEPTED' } });
    const order = randomUUID();
    const made = madeBy(await sell(id, campaign, order));
    await testbed.becomes(made, 'ACCEPTED');
    await leads.updateOne({ _id: made }, { $set: { status: 'PENDING' } });
    expect(await sell(id, market.account.campaignId)).toEqual(busy);
    // The order itself stays what it was.
    expect(await sell(id, campaign, order)).toEqual({ lead_id: made });
    await leads.updateOne({ _id: made }, { $set: { status: 'ACCEPTED' } });
    const last = madeBy(await sell(id, market.account.campaignId));
    expect(await testbed.becomes(last, 'UNMATCHED')).toMatchObject({
      resale: { root: id, nth: 2, exclude: Object.values(market.account.buyers) },
    });
  });
});
