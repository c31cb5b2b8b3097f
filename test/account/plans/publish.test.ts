import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createBuyer } from '../../../src/account/buyers/buyers.js';
import {
  createCampaign,
  storeCampaign,
  updateCampaign,
} from '../../../src/account/campaigns/campaigns.js';
import { storeBuyerLink } from '../../../src/account/links/buyerLinks.js';
import { storeSupplierLink } from '../../../src/account/links/supplierLinks.js';
import { publishCampaign } from '../../../src/account/plans/publish.js';
import { publishUnpublished } from '../../../src/account/repair/account.js';
import { createSupplier } from '../../../src/account/suppliers/suppliers.js';
import type { Collections } from '../../../src/app/database.js';
import { systemClock } from '../../../src/lib/clock.js';
import { createLog } from '../../../src/lib/log.js';
import { openDatabase } from '../../support/database.js';
import { accountOf, makeOrg } from '../../support/org.js';

let database: Awaited<ReturnType<typeof openDatabase>>;
let db: Collections;

beforeAll(async () => {
  database = await openDatabase();
  db = database.collections;
});
afterAll(() => database.drop());

async function newCampaign(name: string) {
  const org = (await makeOrg(db))._id;
  return {
    org,
    campaign: (await createCampaign(accountOf({ collections: db }, org), { name }))._id,
  };
}

describe('publishCampaign', () => {
  it('keeps every earlier version unchanged', async () => {
    const { org, campaign } = await newCampaign('Old name');
    await updateCampaign(accountOf({ collections: db }, org), campaign, { name: 'New name' });
    const plans = await db.plans.find({ campaign_id: campaign }).sort({ version: 1 }).toArray();
    expect(plans.map((plan) => [plan.version, plan.name])).toEqual([
      [1, 'Old name'],
      [2, 'New name'],
    ]);
  });

  it('gives each of many concurrent publishers its own version, and the last one is current', async () => {
    const { org, campaign } = await newCampaign('Busy');
    const before = (await db.versions.findOne({ _id: org }))?.version ?? 0;
    const plans = await Promise.all(
      Array.from({ length: 8 }, () => publishCampaign({ collections: db }, campaign)),
    );
    expect(plans.map((plan) => plan.version).sort((a, b) => a - b)).toEqual([
      2, 3, 4, 5, 6, 7, 8, 9,
    ]);
    expect((await db.campaigns.findOne({ _id: campaign }))?.plan_version).toBe(9);
    expect((await db.versions.findOne({ _id: org }))?.version).toBe(before + 8);
  });

  it('never lets an older state of the account win over a newer one', async () => {
    const { org, campaign } = await newCampaign('Racy');
    for (let round = 1; round <= 5; round += 1) {
      await Promise.all([
        publishCampaign({ collections: db }, campaign),
        updateCampaign(accountOf({ collections: db }, org), campaign, { daily_cap: round }),
        publishCampaign({ collections: db }, campaign),
      ]);
      const now = await db.campaigns.findOne({ _id: campaign });
      const plan = await db.plans.findOne({ _id: `${campaign}:${now?.plan_version ?? 0}` });
      expect(plan?.caps).toEqual({ daily_cap: round });
    }
  });

  it('continues after a publisher that stopped halfway', async () => {
    const { campaign } = await newCampaign('Halfway');
    const first = await db.plans.findOne({ _id: `${campaign}:1` });
    await db.plans.insertOne({ ...first!, _id: `${campaign}:2`, version: 2 });
    expect((await publishCampaign({ collections: db }, campaign)).version).toBe(3);
  });

  it('refuses a campaign that does not exist', async () => {
    await expect(publishCampaign({ collections: db }, 'none')).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

describe('records that are stored to be published together', () => {
  const inAMinute = { ...systemClock, now: () => new Date(Date.now() + 60_000) };
  const repair = () =>
    publishUnpublished({ collections: db, clock: inAMinute, log: createLog('silent', 'test') });
  const storeAll = async () => {
    const org_id = (await makeOrg(db))._id;
    const { campaign } = await storeCampaign(accountOf({ collections: db }, org_id), {
      name: 'New',
    });
    const ids = { org_id, campaign_id: campaign._id };
    const { buyer } = await createBuyer(accountOf({ collections: db }, org_id), { name: 'B' });
    const { supplier } = await createSupplier(accountOf({ collections: db }, org_id), {
      name: 'S',
    });
    await storeBuyerLink(
      accountOf({ collections: db }, ids.org_id),
      { ...ids, buyer_id: buyer._id },
      { price: 7 },
    );
    await storeSupplierLink(
      accountOf({ collections: db }, ids.org_id),
      { ...ids, supplier_id: supplier._id },
      { cost_per_lead: 3 },
    );
    return { ...ids, buyer_id: buyer._id, supplier_id: supplier._id };
  };
  const plansOf = (campaign_id: string) =>
    db.plans.find({ campaign_id }).sort({ version: 1 }).toArray();

  it('are in no plan before, and all in the first one', async () => {
    const { campaign_id, buyer_id, supplier_id } = await storeAll();
    expect(await plansOf(campaign_id)).toEqual([]);
    await publishCampaign({ collections: db }, campaign_id);
    expect(await plansOf(campaign_id)).toMatchObject([
      {
        version: 1,
        buyers: [{ buyer_id, price: 7_000_000 }],
        suppliers: { [supplier_id]: { cost_per_lead: 3_000_000 } },
      },
    ]);
    expect(await repair()).toBe(3);
  });

  it('are published by reconcile, each one, if their process is killed before', async () => {
    const { campaign_id, buyer_id } = await storeAll();
    expect(await repair()).toBe(3);
    expect((await plansOf(campaign_id)).at(-1)).toMatchObject({ buyers: [{ buyer_id }] });
    expect(await repair()).toBe(0);
  });
});
