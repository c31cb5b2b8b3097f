/** Changes of a campaign that are made from a version of it: that version must still be what the campaign says. */
import { isDeepStrictEqual } from 'node:util';
import type { ClientSession } from 'mongodb';
import { withoutKeys } from '../../lib/defined.js';
import { AppError } from '../../lib/errors.js';
import { sealPlan, type Sealing } from '../buyers/sealedHeaders.js';
import { authorOfChange } from '../campaigns/campaigns.js';
import { planId } from '../rules/plan.js';
import type { CampaignDoc } from '../store/campaignDoc.js';
import type { AccountCollections } from '../store/collections.js';
import { unpackPlan } from '../store/planPacking.js';
import { compilePlan, type CampaignAccount } from './compilePlan.js';
import { publishCampaign } from './publish.js';

/** Another caller changed the campaign since it was read. */
export const conflict = (message: string): AppError => new AppError('version_conflict', message);

/** Whether the campaign's version says the same as its documents. */
export async function isPublished(
  account: CampaignAccount,
  { plans }: AccountCollections,
  keyring: Sealing,
  session: ClientSession,
): Promise<boolean> {
  const { _id, plan_version: version, changed_from } = account.campaign;
  if (changed_from === version) return false;
  const latest = await plans.findOne({ _id: planId(_id, version) }, { session });
  if (!latest) return false;
  // Either plan may be from before headers were sealed.
  const published = sealPlan(unpackPlan(latest), keyring);
  const now = sealPlan(compilePlan(account, version), keyring);
  return isDeepStrictEqual(withoutKeys(published, ['published']), now);
}

/** Another caller's change has no version yet. It is published first, so that it can be seen and reverted to. */
export async function publishOther(
  collections: AccountCollections,
  campaign: CampaignDoc,
): Promise<AppError> {
  await publishCampaign({ collections, author: authorOfChange(campaign) }, campaign._id);
  return conflict('It was changed at the same time. Read it again.');
}

/** @throws {AppError} `version_conflict` where the campaign has another version than the caller has seen */
export function refuseOther(
  { plan_version }: Pick<CampaignDoc, 'plan_version'>,
  expected: number | undefined,
): void {
  if (expected === undefined || expected === plan_version) return;
  throw conflict(
    `The campaign has version ${plan_version}, not ${expected}: it has since been changed. Read it again.`,
  );
}
