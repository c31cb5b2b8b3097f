import { accountOf } from '../../support/org.js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BSON } from 'mongodb';
import { linkBuyer, updateBuyerLink } from '../../../src/account/links/buyerLinks.js';
import { createBuyer, updateBuyer } from '../../../src/account/buyers/buyers.js';
import { updateCampaign } from '../../../src/account/campaigns/campaigns.js';
import { listPlanVersions } from '../../../src/account/plans/listPlanVersions.js';
import { PLAN_BYTES_MAX } from '../../../src/account/plans/planSize.js';
import { revertCampaign } from '../../../src/account/plans/revertCampaign.js';
import type { Collections } from '../../../src/app/database.js';
import type { BuyerDoc } from '../../../src/account/store/accountDocs.js';
import { bigAccount, hasAllZips, versionOf, zipsOf } from './bigAccount.js';
import { keyring, publicOnly } from '../values.js';
import { openDatabase } from '../../support/database.js';

let database: Awaited<ReturnType<typeof openDatabase>>;
let db: Collections;

beforeAll(async () => {
  database = await openDatabase();
  db = database.collections;
});
afterAll(() => database.drop());

describe('a campaign of 12 buyers with 6,000 zip codes each', () => {
  let account: Awaited<ReturnType<typeof bigAccount>>;
  beforeAll(async () => {
    account = await bigAccount(db, 12, (n) => ({ zips: zipsOf(6_000, n) }));
    await updateCampaign(accountOf({ collections: db }, account.org), account.campaign, {
      status: 'PAUSED',
    });
  });

  it('is published and paused in a quarter of its size, and reads back unchanged', async () => {
    const { plan, bytes } = await versionOf(db, account.campaign);
    expect(plan).toMatchObject({ version: 3, status: 'PAUSED' });
    expect(bytes).toBeLessThan(BSON.calculateObjectSize(plan) / 4);
    expect(await hasAllZips(db, plan)).toBe(true);
  });

  it('shows its changes and can be reverted like any other', async () => {
    const { org, campaign, key } = account;
    await updateBuyerLink(accountOf({ collections: db }, key.org_id), key, {
      status: 'paused',
      zips: zipsOf(5_000, 0),
    });
    const [change] = await listPlanVersions({ collections: db, keyring }, campaign, 4, 1);
    expect(change?.changes.map(({ path }) => path)).toEqual([
      'buyers["B"].status',
      'buyers["B"].zips',
    ]);
    const reverted = await revertCampaign(
      accountOf({ collections: db, keyring }, org),
      campaign,
      3,
    );
    expect(reverted).toMatchObject({ still_different: [], left_out: [] });
  });
});

describe('a campaign whose plan is as big as it may be', () => {
  const DELIVERY = {
    method: 'STORE' as const,
    note: 'x'.repeat(64_000),
  } as unknown as BuyerDoc['delivery'];

  it('can be paused and reduced, and refuses growth before anything is stored', async () => {
    const count = Math.ceil(PLAN_BYTES_MAX / 64_000);
    const { org, campaign, key } = await bigAccount(db, count, () => ({}), { delivery: DELIVERY });
    const filters = [{ field: 'email', operator: 'contains' as const, value: 'x'.repeat(200) }];
    const link = () => db.campaignBuyers.findOne({ _id: `${campaign}:${key.buyer_id}` });
    const before = await link();
    const refused = {
      code: 'validation_failed',
      extras: {
        field_errors: [
          {
            field: 'zips',
            code: 'too_long',
            message: expect.stringMatching(
              /^A campaign .* may be at most 12\.0 MiB; with this zips it would be 12\.\d\. Use fewer zip codes/,
            ),
          },
        ],
      },
    };
    await expect(
      updateBuyerLink(accountOf({ collections: db }, key.org_id), key, { zips: zipsOf(90, 0) }),
    ).rejects.toMatchObject(refused);
    const { buyer } = await createBuyer(accountOf({ collections: db }, org), { name: 'One more' });
    await expect(
      linkBuyer(
        accountOf({ collections: db }, key.org_id),
        { ...key, buyer_id: buyer._id },
        { zips: zipsOf(90, 0) },
      ),
    ).rejects.toMatchObject(refused);
    await expect(
      updateCampaign(accountOf({ collections: db }, org), campaign, { filters }),
    ).rejects.toMatchObject({
      extras: { field_errors: [{ field: 'filters', code: 'too_long' }] },
    });
    expect(await link()).toEqual(before);
    expect(await db.campaignBuyers.countDocuments({ campaign_id: campaign })).toBe(count);

    await updateBuyerLink(accountOf({ collections: db }, key.org_id), key, { status: 'paused' });
    await updateCampaign(accountOf({ collections: db }, org), campaign, { status: 'PAUSED' });
    const { plan, bytes } = await versionOf(db, campaign);
    expect(plan.status).toBe('PAUSED');
    expect(plan.buyers[0]).toMatchObject({ status: 'paused' });
    await updateBuyer(accountOf({ collections: db, policy: publicOnly }, org), key.buyer_id, {
      delivery: { method: 'STORE' },
    });
    expect((await versionOf(db, campaign)).bytes).toBeLessThan(bytes);
  });

  it('cannot be reverted to a version that no longer fits', async () => {
    const count = Math.ceil(PLAN_BYTES_MAX / 2 / 64_000);
    const { org, campaign } = await bigAccount(db, count, () => ({}), { delivery: DELIVERY });
    await updateCampaign(accountOf({ collections: db }, org), campaign, { status: 'PAUSED' });
    const { version } = (await versionOf(db, campaign)).plan;
    // All but one are unlinked, and get longer deliveries while no campaign has them.
    const links = db.campaignBuyers.find({ campaign_id: campaign });
    const [, ...others] = await links.sort({ _id: 1 }).toArray();
    await db.campaignBuyers.deleteMany({ _id: { $in: others.map(({ _id }) => _id) } });
    const longer = { ...DELIVERY, note: 'x'.repeat(140_000) } as unknown as BuyerDoc['delivery'];
    const ids = others.map(({ buyer_id }) => buyer_id);
    await db.buyers.updateMany({ _id: { $in: ids } }, { $set: { delivery: longer } });
    await updateCampaign(accountOf({ collections: db }, org), campaign, { status: 'ACTIVE' });
    const stored = async () => [
      await db.campaigns.findOne({ _id: campaign }),
      await db.campaignBuyers.find({ campaign_id: campaign }).toArray(),
    ];
    const before = await stored();

    await expect(
      revertCampaign(accountOf({ collections: db, keyring }, org), campaign, version),
    ).rejects.toMatchObject({
      code: 'action_refused',
      message: expect.stringMatching(
        /^With version \d+ the campaign would be 13\.\d MiB; the maximum is 12\.0\. Make the deliveries .* Nothing was changed\.$/,
      ),
    });
    expect(await stored()).toEqual(before);
    await updateCampaign(accountOf({ collections: db }, org), campaign, { name: 'Wind' });
    expect((await versionOf(db, campaign)).plan.name).toBe('Wind');
  });
});
