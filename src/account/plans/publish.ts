/** Makes a change of the account take effect: a new plan version, then the organization's version. */
import type { AccountContext } from '../context.js';
import { isDuplicateKey } from '../../platform/mongo/databaseErrors.js';
import { packPlan } from '../store/planPacking.js';
import type { Plan } from '../rules/plan.js';
import { unavailable } from '../../lib/errors.js';
import { bumpVersion } from './unpublished.js';
import { compilePlan } from './compilePlan.js';
import { loadCampaign } from '../campaigns/loadCampaign.js';

const ATTEMPTS = 20;

/** `author` is the author of the version; absent: the service itself. */
type Account = Pick<AccountContext, 'collections' | 'author'>;

/**
 * Compiles the campaign as it stands now and makes it the plan of new leads.
 * Call it after the change is written. The organization's version grows last, so that a process that reads the new
 * version finds the new plan. Of changes at the same moment one version may hold several, and the next none.
 * @throws {AppError} `not_found` for an unknown campaign, `unavailable` when others keep publishing first
 */
export async function publishCampaign(account: Account, campaignId: string): Promise<Plan> {
  const { collections } = account;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const plan = await insertNextPlan(account, campaignId);
    if (!plan) continue;
    await collections.campaigns.updateOne(
      { _id: campaignId, plan_version: { $lt: plan.version } },
      { $set: { plan_version: plan.version } },
    );
    await bumpVersion(collections, plan.org_id);
    return plan;
  }
  throw unavailable(
    `Campaign ${campaignId} is changed by other calls at the same time. Try again.`,
  );
}

/**
 * The version is chosen before the account is read: then a higher version always comes from a newer read, and a process
 * that read an older account fails to insert. Null: another process inserted this version.
 */
async function insertNextPlan(
  { collections, author }: Account,
  campaignId: string,
): Promise<Plan | null> {
  const latest = await collections.plans.findOne(
    { campaign_id: campaignId },
    { sort: { version: -1 }, projection: { version: 1 } },
  );
  const version = (latest?.version ?? 0) + 1;
  const compiled = compilePlan(await loadCampaign(collections, campaignId), version);
  const plan: Plan = { ...compiled, published: { ...author, at: new Date() } };
  try {
    await collections.plans.insertOne(packPlan(plan));
    return plan;
  } catch (error) {
    if (isDuplicateKey(error)) return null;
    throw error;
  }
}

/** Publishes every campaign of the organization. */
export async function publishForOrg(
  account: Account & Pick<AccountContext, 'orgId'>,
): Promise<void> {
  const { collections, orgId } = account;
  await publishAll(account, await collections.campaigns.distinct('_id', { org_id: orgId }));
}

/**
 * Publishes every campaign of the organization whose plan has another time zone. A plan that has it is of an account that
 * was read since, and so are all after it.
 */
export async function publishInZone(
  account: Account & Pick<AccountContext, 'orgId'>,
  time_zone: string,
): Promise<void> {
  const { collections, orgId } = account;
  const ids = await collections.campaigns.distinct('_id', { org_id: orgId });
  for (const campaign_id of ids) {
    const latest = await collections.plans.findOne(
      { campaign_id },
      { sort: { version: -1 }, projection: { version: 1, time_zone: 1 } },
    );
    if (latest?.time_zone === time_zone)
      // Its process may have stopped before this.
      await collections.campaigns.updateOne(
        { _id: campaign_id, plan_version: { $lt: latest.version } },
        { $set: { plan_version: latest.version } },
      );
    else await publishCampaign(account, campaign_id);
  }
}

/** Publishes every campaign the buyer is linked to. */
export async function publishForBuyer(account: Account, buyer_id: string): Promise<void> {
  const { campaignBuyers } = account.collections;
  await publishAll(account, await campaignBuyers.distinct('campaign_id', { buyer_id }));
}

/** Publishes every campaign the supplier is linked to. */
export async function publishForSupplier(account: Account, supplier_id: string): Promise<void> {
  const { campaignSuppliers } = account.collections;
  await publishAll(account, await campaignSuppliers.distinct('campaign_id', { supplier_id }));
}

async function publishAll(account: Account, campaignIds: readonly string[]): Promise<void> {
  for (const id of campaignIds) await publishCampaign(account, id);
}
