import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { updateBuyer } from '../../../src/account/buyers/buyers.js';
import type { Deps } from '../../../src/app/deps.js';
import type { ResaleAnswer } from '../../../src/outcomes/resale/types.js';
import { buyerId, MICROS, pingFor, pingMarket } from '../../pings/pingMarket.js';
import { PING_KEY } from '../../support/pings.js';
import { replayAll } from '../../support/replayed.js';
import { startTestbed, type Testbed } from '../../support/testbed.js';

const ZONE = { timeZone: 'America/New_York' };

let testbed: Testbed;
let deps: Deps;
beforeAll(async () => {
  testbed = await startTestbed({ settings: { PING_TOKEN_KEYS: PING_KEY } });
  deps = testbed.service.deps;
});
afterAll(() => testbed.stop());

const sell = async (lead_id: string, campaign_id: string) =>
  deps.redistribute({ id: randomUUID(), lead: await testbed.lead(lead_id), campaign_id });
const madeBy = (answer: ResaleAnswer): string => {
  if (!('lead_id' in answer)) throw new Error(JSON.stringify(answer));
  return answer.lead_id;
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
    const policy = { allowPrivate: true };
    await updateBuyer(testbed.collections, testbed.keyring, policy, orgId, live, {
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
