/** Plans of a campaign: the newest, and a further one that no action can make. */
import { bumpVersion } from '../../src/account/plans/unpublished.js';
import { planId, type Plan } from '../../src/account/rules/plan.js';
import type { Collections } from '../../src/app/database.js';

/** @throws {Error} when the campaign has none */
export async function latestPlan(
  { plans }: Pick<Collections, 'plans'>,
  campaignId: string,
): Promise<Plan> {
  const [plan] = await plans
    .find({ campaign_id: campaignId })
    .sort({ version: -1 })
    .limit(1)
    .toArray();
  if (!plan) throw new Error('The campaign has no plan');
  return plan;
}

/** Stores the next version of the newest plan, which every process uses from the next lead or ping on. */
export async function publishPlan(
  collections: Collections,
  { campaignId, orgId }: { campaignId: string; orgId: string },
  alter: (plan: Plan) => Partial<Plan>,
): Promise<void> {
  const plan = await latestPlan(collections, campaignId);
  const version = plan.version + 1;
  const next = { ...plan, ...alter(plan), version, _id: planId(campaignId, version) };
  await collections.plans.insertOne(next);
  const current = { $set: { plan_version: version } };
  await collections.campaigns.updateOne({ _id: campaignId }, current);
  await bumpVersion(collections, orgId);
}
