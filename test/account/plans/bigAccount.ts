/** Campaigns with long plans. */
import { isDeepStrictEqual } from 'node:util';
import { withoutKeys } from '../../../src/lib/defined.js';
import { linkBuyer } from '../../../src/account/links/buyerLinks.js';
import { createBuyer } from '../../../src/account/buyers/buyers.js';
import { createCampaign } from '../../../src/account/campaigns/campaigns.js';
import type { Plan } from '../../../src/account/rules/plan.js';
import type { Collections } from '../../../src/app/database.js';
import type { BuyerDoc, CampaignBuyerDoc } from '../../../src/account/store/accountDocs.js';
import { createPlanStore } from '../../../src/account/store/plans.js';
import { accountOf, makeOrg } from '../../support/org.js';

/** `count` different codes, unordered; other codes for another seed. */
export function zipsOf(count: number, seed: number): string[] {
  const zips = new Set<string>();
  for (let state = seed + 1; zips.size < count;) {
    state = (state * 48_271) % 2_147_483_647;
    zips.add(String(state % 100_000).padStart(5, '0'));
  }
  return [...zips];
}

/** A campaign of `count` buyers, with links as an earlier release may have stored them. */
export async function bigAccount(
  db: Collections,
  count: number,
  terms: (n: number) => Partial<CampaignBuyerDoc>,
  settings: Partial<BuyerDoc> = {},
) {
  const org = (await makeOrg(db))._id;
  const campaign = (
    await createCampaign(accountOf({ collections: db }, org), { name: 'Solar', status: 'ACTIVE' })
  )._id;
  const { buyer } = await createBuyer(accountOf({ collections: db }, org), { name: 'B' });
  const key = { org_id: org, campaign_id: campaign, buyer_id: buyer._id };
  const link = await linkBuyer(accountOf({ collections: db }, key.org_id), key, { price: 10 });
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

/** The current plan as a new process reads it, and its size as a document. */
export async function versionOf(
  db: Collections,
  campaign: string,
): Promise<{ plan: Plan; bytes: number }> {
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

/** Whether each buyer of the plan has the zip codes of its link, to the last one. */
export async function hasAllZips(db: Collections, { campaign_id, buyers }: Plan): Promise<boolean> {
  const links = await db.campaignBuyers.find({ campaign_id }).toArray();
  const zipsBy = (list: readonly { buyer_id: string; zips: unknown }[]) =>
    new Map(list.map(({ buyer_id, zips }) => [buyer_id, zips]));
  return isDeepStrictEqual(zipsBy(buyers), zipsBy(links));
}
