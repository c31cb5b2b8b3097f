import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BSON } from 'mongodb';
import { withoutKeys } from '../../../src/lib/defined.js';
import { linkBuyer, updateBuyerLink } from '../../../src/account/links/buyerLinks.js';
import { createBuyer, updateBuyer } from '../../../src/account/buyers/buyers.js';
import { createCampaign, updateCampaign } from '../../../src/account/campaigns/campaigns.js';
import { listPlanVersions } from '../../../src/account/plans/listPlanVersions.js';
import { PLAN_BYTES_MAX } from '../../../src/account/plans/planSize.js';
import { revertCampaign } from '../../../src/account/plans/revertCampaign.js';
import type { Collections } from '../../../src/app/database.js';
import type { BuyerDoc, CampaignBuyerDoc } from '../../../src/account/store/accountDocs.js';
import { createPlanStore } from '../../../src/account/store/plans.js';
import { keyring, publicOnly } from '../values.js';
import { openDatabase } from '../../support/database.js';
import { makeOrg } from '../../support/org.js';

let database: Awaited<ReturnType<typeof openDatabase>>;
let db: Collections;

beforeAll(async () => {
  database = await openDatabase();
  db = database.collections;
});
afterAll(() => database.drop());

/** `count` different codes, unordered; other codes for another seed. */
function zipsOf(count: number, seed: number): string[] {
  const zips = new Set<string>();
  for (let state = seed + 1; zips.size < count;) {
    state = (state * 48_271) % 2_147_483_647;
    zips.add(String(state % 100_000).padStart(5, '0'));
  }
  return [...zips];
}

/** A campaign of `count` buyers, with links as an earlier release may have stored them. */
async function bigAccount(
  count: number,
  terms: (n: number) => Partial<CampaignBuyerDoc>,
  settings: Partial<BuyerDoc> = {},
) {
  const org = (await makeOrg(db))._id;
  const campaign = (await createCampaign(db, org, { name: 'Solar', status: 'ACTIVE' }))._id;
  const { buyer } = await createBuyer(db, keyring, publicOnly, org, { name: 'B' });
  const key = { org_id: org, campaign_id: campaign, buyer_id: buyer._id };
  const link = await linkBuyer(db, key, { price: 10 });
  const others = Array.from({ length: count - 1 }, (_, n) => `${buyer._id}-${n + 1}`);
  await db.buyers.updateOne({ _id: buyer._id }, { $set: settings });
  await db.buyers.insertMany(
    others.map((_id) => ({ ...buyer, ...settings, _id, name: _id, webhook_secret_hash: _id })),
  );
  const base = withoutKeys(link, ['unpublished']);
  await db.campaignBuyers.insertMany(
    others.map((buyer_id, n) => ({
      ...base,
      ...terms(n + 1),
      buyer_id,
      _id: `${campaign}:${buyer_id}`,
    })),
  );
  await db.campaignBuyers.updateOne({ _id: link._id }, { $set: terms(0) });
  return { org, campaign, key };
}

async function versionOf(campaign: string) {
  const now = await db.campaigns.findOne({ _id: campaign });
  const id = `${campaign}:${now?.plan_version ?? 0}`;
  // A store of its own, with nothing in memory.
  const plan = (await createPlanStore(db.plans).get([id])).get(id);
  const [size] = await db.plans
    .aggregate<{ bytes: number }>([
      { $match: { _id: id } },
      { $project: { bytes: { $bsonSize: '$$ROOT' } } },
    ])
    .toArray();
  if (!plan || !size) throw new Error('no plan');
  return { plan, bytes: size.bytes };
}

describe('a campaign of 177 buyers with 6,000 zip codes each', () => {
  it('is published and paused, uses a quarter of the limit, and reads back unchanged', async () => {
    const { org, campaign } = await bigAccount(177, (n) => ({ zips: zipsOf(6_000, n) }));
    await updateCampaign(db, org, campaign, { status: 'PAUSED' });
    const { plan, bytes } = await versionOf(campaign);
    expect(plan).toMatchObject({ status: 'PAUSED' });
    expect(BSON.calculateObjectSize(plan)).toBeGreaterThan(16 * 1_048_576);
    expect(bytes).toBeLessThan(4 * 1_048_576);
    const links = await db.campaignBuyers.find({ campaign_id: campaign }).toArray();
    const zipsBy = (list: { buyer_id: string; zips: unknown }[]) =>
      new Map(list.map(({ buyer_id, zips }) => [buyer_id, zips]));
    expect(isDeepStrictEqual(zipsBy(plan.buyers), zipsBy(links))).toBe(true);
  });

  it('shows its changes and can be reverted like any other', async () => {
    const { org, campaign, key } = await bigAccount(12, (n) => ({ zips: zipsOf(6_000, n) }));
    await updateCampaign(db, org, campaign, { status: 'PAUSED' });
    await updateBuyerLink(db, key, { status: 'paused', zips: zipsOf(5_000, 0) });
    const [change] = await listPlanVersions(db, keyring, campaign, 4, 1);
    expect(change?.changes.map(({ path }) => path)).toEqual([
      'buyers["B"].status',
      'buyers["B"].zips',
    ]);
    const reverted = await revertCampaign(db, keyring, org, campaign, 3);
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
    const { org, campaign, key } = await bigAccount(count, () => ({}), { delivery: DELIVERY });
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
    await expect(updateBuyerLink(db, key, { zips: zipsOf(90, 0) })).rejects.toMatchObject(refused);
    const { buyer } = await createBuyer(db, keyring, publicOnly, org, { name: 'One more' });
    await expect(
      linkBuyer(db, { ...key, buyer_id: buyer._id }, { zips: zipsOf(90, 0) }),
    ).rejects.toMatchObject(refused);
    await expect(updateCampaign(db, org, campaign, { filters })).rejects.toMatchObject({
      extras: { field_errors: [{ field: 'filters', code: 'too_long' }] },
    });
    expect(await link()).toEqual(before);
    expect(await db.campaignBuyers.countDocuments({ campaign_id: campaign })).toBe(count);

    await updateBuyerLink(db, key, { status: 'paused' });
    expect((await versionOf(campaign)).plan.buyers[0]).toMatchObject({ status: 'paused' });
    await updateCampaign(db, org, campaign, { status: 'PAUSED' });
    expect((await versionOf(campaign)).plan.status).toBe('PAUSED');
    const { bytes } = await versionOf(campaign);
    await updateBuyer(db, keyring, publicOnly, org, key.buyer_id, {
      delivery: { method: 'STORE' },
    });
    expect((await versionOf(campaign)).bytes).toBeLessThan(bytes);
  });

  it('cannot be reverted to a version that no longer fits', async () => {
    const count = Math.ceil(PLAN_BYTES_MAX / 2 / 64_000);
    const { org, campaign } = await bigAccount(count, () => ({}), { delivery: DELIVERY });
    await updateCampaign(db, org, campaign, { status: 'PAUSED' });
    const { version } = (await versionOf(campaign)).plan;
    // All but one are unlinked, and get longer deliveries while no campaign has them.
    const links = db.campaignBuyers.find({ campaign_id: campaign });
    const [, ...others] = await links.sort({ _id: 1 }).toArray();
    await db.campaignBuyers.deleteMany({ _id: { $in: others.map(({ _id }) => _id) } });
    const longer = { ...DELIVERY, note: 'x'.repeat(180_000) } as unknown as BuyerDoc['delivery'];
    const ids = others.map(({ buyer_id }) => buyer_id);
    await db.buyers.updateMany({ _id: { $in: ids } }, { $set: { delivery: longer } });
    await updateCampaign(db, org, campaign, { status: 'ACTIVE' });
    const stored = async () => [
      await db.campaigns.findOne({ _id: campaign }),
      await db.campaignBuyers.find({ campaign_id: campaign }).toArray(),
    ];
    const before = await stored();

    await expect(revertCampaign(db, keyring, org, campaign, version)).rejects.toMatchObject({
      code: 'action_refused',
      message: expect.stringMatching(
        /^With version \d+ the campaign would be 1[6-9]\.\d MiB; the maximum is 12\.0\. Make the deliveries .* Nothing was changed\.$/,
      ),
    });
    expect(await stored()).toEqual(before);
    await updateCampaign(db, org, campaign, { name: 'Wind' });
    expect((await versionOf(campaign)).plan.name).toBe('Wind');
  });
});
