import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createCampaign, updateCampaign } from '../../../src/account/campaigns/campaigns.js';
import { publishCampaign } from '../../../src/account/plans/publish.js';
import type { Collections } from '../../../src/app/database.js';
import { openDatabase } from '../../support/database.js';
import { makeOrg } from '../../support/org.js';

let database: Awaited<ReturnType<typeof openDatabase>>;
let db: Collections;

beforeAll(async () => {
  database = await openDatabase();
  db = database.collections;
});
afterAll(() => database.drop());

async function newCampaign(name: string) {
  const org = (await makeOrg(db))._id;
  return { org, campaign: (await createCampaign(db, org, { name }))._id };
}

describe('publishCampaign', () => {
  it('keeps every earlier version unchanged', async () => {
    const { org, campaign } = await newCampaign('Old name');
    await updateCampaign(db, org, campaign, { name: 'New name' });
    const plans = await db.plans.find({ campaign_id: campaign }).sort({ version: 1 }).toArray();
    expect(plans.map((plan) => [plan.version, plan.name])).toEqual([
      [1, 'Old name'],
      [2, 'New name'],
    ]);
  });

  it('gives each of many concurrent publishers its own version, and the last one is current', async () => {
    const { org, campaign } = await newCampaign('Busy');
    const before = (await db.versions.findOne({ _id: org }))?.version ?? 0;
    const plans = await Promise.all(Array.from({ length: 8 }, () => publishCampaign(db, campaign)));
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
        publishCampaign(db, campaign),
        updateCampaign(db, org, campaign, { caps: { daily_cap: round } }),
        publishCampaign(db, campaign),
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
    expect((await publishCampaign(db, campaign)).version).toBe(3);
  });

  it('refuses a campaign that does not exist', async () => {
    await expect(publishCampaign(db, 'none')).rejects.toMatchObject({ code: 'not_found' });
  });
});
