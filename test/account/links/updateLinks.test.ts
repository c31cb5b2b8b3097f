/** Terms of all links of a big campaign, and of a process that dies in between. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { updateLinks } from '../../../src/account/links/updateLinks.js';
import { publishUnpublished } from '../../../src/account/repair/account.js';
import type { Collections } from '../../../src/app/database.js';
import { createLog } from '../../../src/lib/log.js';
import { openDatabase } from '../../support/database.js';
import { accountOf } from '../../support/org.js';
import { bigAccount } from '../plans/bigAccount.js';

let database: Awaited<ReturnType<typeof openDatabase>>;
let db: Collections;
beforeAll(async () => {
  database = await openDatabase();
  db = database.collections;
});
afterAll(() => database.drop());

const LINKS = 500;
const author = { key: { id: 'k', name: 'Anna' }, action: 'update_campaign_links' };

const pricesOf = async (campaign_id: string) => {
  const plan = await db.plans.findOne({ campaign_id }, { sort: { version: -1 } });
  return { version: plan?.version, prices: new Set(plan?.buyers.map(({ price }) => price)) };
};

describe('five hundred links', () => {
  it('are changed in one version, and of two changes from one version one is made, whole', async () => {
    const { org, campaign } = await bigAccount(db, LINKS, () => ({}));
    const ids = await db.campaignBuyers.distinct('buyer_id', { campaign_id: campaign });
    const change = (price: number, expected?: number) =>
      updateLinks(
        accountOf({ collections: db, author }, org),
        campaign,
        { buyers: ids.map((buyer_id) => ({ buyer_id, price, daily_cap: price })) },
        expected,
      );
    const { version, buyers } = await change(11);
    expect(buyers).toHaveLength(LINKS);
    expect(await pricesOf(campaign)).toEqual({ version, prices: new Set([11_000_000]) });
    const raced = await Promise.allSettled([change(12, version), change(13, version)]);
    const made = raced.flatMap((one, n) => (one.status === 'fulfilled' ? [12 + n] : []));
    expect(made).toHaveLength(1);
    expect(raced.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'version_conflict' },
    });
    const { prices } = await pricesOf(campaign);
    expect(prices).toEqual(new Set(made.map((price) => price * 1_000_000)));
  }, 60_000);

  it('are published by the next run where the process dies before it has', async () => {
    const { org, campaign, key } = await bigAccount(db, 3, () => ({}));
    const plans = Object.create(db.plans) as Collections['plans'];
    plans.insertOne = () => Promise.reject(new Error('killed'));
    const dying = accountOf({ collections: { ...db, plans }, author }, org);
    const changes = { buyers: [{ buyer_id: key.buyer_id, price: 99 }] };
    await expect(updateLinks(dying, campaign, changes)).rejects.toThrow('killed');
    const before = await pricesOf(campaign);
    expect(before.prices).toEqual(new Set([10_000_000]));
    await publishUnpublished({
      collections: db,
      clock: { now: () => new Date(Date.now() + 60_000), monotonic: () => 0, random: () => 0.5 },
      log: createLog('silent', 'test'),
    });
    expect((await pricesOf(campaign)).prices).toEqual(new Set([99_000_000, 10_000_000]));
    const found = await db.plans.findOne({ campaign_id: campaign }, { sort: { version: -1 } });
    expect(found?.published).toMatchObject(author);
  });
});
