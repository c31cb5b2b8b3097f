/** What each version of a campaign changed, newest first. */
import { isDeepStrictEqual } from 'node:util';
import type { AccountContext } from '../context.js';
import { sealPlan } from '../buyers/sealedHeaders.js';
import { planChanges, type PlanChange } from '../rules/planChanges.js';
import { planId, type Plan, type PlanAuthor } from '../rules/plan.js';
import type { AccountCollections } from '../store/collections.js';
import { AppError } from '../../lib/errors.js';
import { getOwn } from '../../lib/getOwn.js';
import { unpackPlan } from '../store/planPacking.js';

export interface PlanVersion {
  version: number;
  /** Absent from versions made before this was recorded. */
  published?: PlanAuthor & { at: Date };
  changes: PlanChange[];
  /** Number of changes beyond those listed. */
  more_changes: number;
}

/** Changes listed for one version, and between two. */
const CHANGES_MAX = 50;
const DIFFERENCES_MAX = 500;
/** A plan may hold lists of a hundred thousand zip codes, so few plans are in memory at once. */
const READ_AT_ONCE = 4;

/**
 * The versions from `newest` down, each compared with the one before it.
 * @param limit maximum number of versions
 */
export async function listPlanVersions(
  { collections: { plans }, keyring }: Pick<AccountContext, 'collections' | 'keyring'>,
  campaignId: string,
  newest: number,
  limit: number,
): Promise<PlanVersion[]> {
  const history: PlanVersion[] = [];
  let later: Plan | null = null;
  const found = plans
    .find({ campaign_id: campaignId, version: { $lte: newest } })
    .sort({ campaign_id: 1, version: -1 })
    // One more than is returned: the oldest of the page is compared with it.
    .limit(limit + 1)
    .batchSize(READ_AT_ONCE);
  for await (const stored of found) {
    // A plan from before headers were sealed compares equal to the one after it.
    const plan = sealPlan(unpackPlan(stored), keyring);
    if (later) history.push(versionOf(later, plan));
    later = plan;
  }
  if (later && history.length < limit) history.push(versionOf(later, null));
  return history;
}

function versionOf(plan: Plan, before: Plan | null): PlanVersion {
  const changes = before
    ? planChanges(withoutSame(before, plan), withoutSame(plan, before))
    : planChanges(null, plan);
  return {
    version: plan.version,
    published: plan.published,
    changes: changes.slice(0, CHANGES_MAX),
    more_changes: Math.max(0, changes.length - CHANGES_MAX),
  };
}

/** Without the buyers and suppliers whose terms are the same in the other: most are, and to show them costs far more. */
function withoutSame(plan: Plan, other: Plan): Plan {
  const buyers = new Map(other.buyers.map((terms) => [terms.buyer_id, terms]));
  const suppliers = Object.entries(plan.suppliers).filter(
    ([id, terms]) => !isDeepStrictEqual(terms, getOwn(other.suppliers, id)),
  );
  return {
    ...plan,
    buyers: plan.buyers.filter((terms) => !isDeepStrictEqual(terms, buyers.get(terms.buyer_id))),
    suppliers: Object.fromEntries(suppliers),
  };
}

/** How one version of a campaign differs from another, whichever is newer. */
export interface PlanDifference {
  from_version: number;
  to_version: number;
  changes: PlanChange[];
  /** Number of changes beyond those listed. */
  more_changes: number;
}

/** @throws {AppError} `not_found` for the campaign or a version */
export async function comparePlanVersions(
  { collections, orgId, keyring }: Pick<AccountContext, 'collections' | 'orgId' | 'keyring'>,
  campaignId: string,
  { from, to }: { from: number; to: number },
): Promise<PlanDifference> {
  const before = sealPlan(await findVersion(collections, orgId, campaignId, from), keyring);
  const after = sealPlan(await findVersion(collections, orgId, campaignId, to), keyring);
  const changes = planChanges(before, after);
  return {
    from_version: from,
    to_version: to,
    changes: changes.slice(0, DIFFERENCES_MAX),
    more_changes: Math.max(0, changes.length - DIFFERENCES_MAX),
  };
}

/** @throws {AppError} `not_found` for the campaign or the version */
export async function findVersion(
  { campaigns, plans }: AccountCollections,
  orgId: string,
  campaignId: string,
  version: number,
): Promise<Plan> {
  const campaign = await campaigns.findOne({ _id: campaignId, org_id: orgId });
  if (!campaign) throw new AppError('not_found', `There is no campaign ${campaignId}.`);
  const plan = await plans.findOne({ _id: planId(campaignId, version), org_id: orgId });
  if (plan && version <= campaign.plan_version) return unpackPlan(plan);
  throw new AppError(
    'not_found',
    `The campaign has no version ${version}; it has 1 to ${campaign.plan_version}.`,
  );
}
