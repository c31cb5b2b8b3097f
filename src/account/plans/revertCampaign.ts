/** Taking a campaign back to what an earlier version says. */
import { linkId } from '../links/storeLink.js';
import type { ClientSession } from 'mongodb';
import { sealPlan } from '../buyers/sealedHeaders.js';
import { planChanges, type PlanChange } from '../rules/planChanges.js';
import type { Plan, PlanAuthor } from '../rules/plan.js';
import { AppError } from '../../lib/errors.js';
import type { CampaignDoc } from '../store/campaignDoc.js';
import type { AccountContext } from '../context.js';
import type { AccountCollections } from '../store/collections.js';
import type { Unpublished } from '../store/accountDocs.js';
import { runTransaction } from '../../platform/mongo/transaction.js';
import { changedFrom } from '../campaigns/campaigns.js';
import { dedupeSince } from '../campaigns/dedupe.js';
import type { CampaignAccount } from './compilePlan.js';
import { findVersion } from './listPlanVersions.js';
import { loadCampaign } from '../campaigns/loadCampaign.js';
import { requireVersionFits } from './planSize.js';
import { publishCampaign } from './publish.js';
import { refuseHeadersElsewhere, refuseRedirection, requireDeliverable } from './revertChecks.js';
import { buyerLinkOf, campaignOf, supplierLinkOf } from './restorable.js';
import { replaceLinks } from './revertedLinks.js';
import { isPublished, publishOther, refuseOther } from './seenVersion.js';
import { markPublished, unpublishedNow } from './unpublished.js';
import { refuseTakenName } from '../values.js';

export interface Reverted {
  /** The new version. */
  plan: Plan;
  left_out: MissingSupplier[];
  /** How the new version differs from the one that was restored. */
  still_different: PlanChange[];
}

interface RevertOptions {
  expected?: number;
  mayRedirect?: boolean;
  checkTarget?: (target: Pick<CampaignDoc, 'fields' | 'routing_method'>) => Promise<void>;
}

interface MissingSupplier {
  supplier_id: string;
  name: string | null;
}

/**
 * Makes a new version that equals `version` in everything that belongs to the campaign and its links. Campaign and
 * links are written together or not at all, and only over an account that is published as it is: another caller's
 * change at the same moment is in a version of its own, or made after this one, and never lost.
 * @param expected refuse it unless the campaign has this version
 * @param mayRedirect whether the caller may change where leads are sent: a reversion may change it
 * @param checkTarget refuses the restored campaign, where something else depends on what the campaign is now
 * @throws {AppError} `forbidden` for a version that sends leads elsewhere, where the caller may not redirect them
 * @throws {AppError} `not_found` for the campaign or the version; `action_refused` naming buyers that were deleted,
 * when it would be too big now, when its overrides no longer fit a buyer's delivery, or when it would send headers to
 * another origin; `validation_failed` when another campaign has the name now; `version_conflict`
 */
export async function revertCampaign(
  account: Pick<AccountContext, 'collections' | 'orgId' | 'keyring' | 'author'>,
  campaignId: string,
  version: number,
  { expected, mayRedirect = true, checkTarget }: RevertOptions = {},
): Promise<Reverted> {
  const { collections, orgId, keyring, author } = account;
  const target = sealPlan(await findVersion(collections, orgId, campaignId, version), keyring);
  await checkTarget?.(campaignOf(target));
  const reverting = { ...author, reverted_to: version };
  const unpublished = unpublishedNow(reverting);
  const done = await runTransaction(collections.campaigns, async (session) => {
    const now = await loadCampaign(collections, campaignId, session);
    if (!(await isPublished(now, collections, keyring, session))) return now.campaign;
    refuseOther(now.campaign, expected);
    if (!mayRedirect) refuseRedirection(target, now, keyring);
    await refuseHeadersElsewhere(target, collections, session);
    const left = await writeTarget(
      target,
      now,
      { ...collections, unpublished, author: reverting },
      session,
    );
    const then = await loadCampaign(collections, campaignId, session);
    requireVersionFits(version, now, then);
    requireDeliverable(version, then);
    return left;
  });
  if (!Array.isArray(done)) throw await publishOther(collections, done);
  const plan = await publishCampaign({ collections, author: reverting }, campaignId);
  await markPublished(collections.campaigns, campaignId, unpublished);
  return { plan, left_out: done, still_different: planChanges(target, sealPlan(plan, keyring)) };
}

/** Returns the suppliers that could not be linked again. */
async function writeTarget(
  target: Plan,
  { campaign, org }: CampaignAccount,
  {
    unpublished,
    author,
    ...collections
  }: AccountCollections & { unpublished: Unpublished; author: PlanAuthor },
  session: ClientSession,
): Promise<MissingSupplier[]> {
  const place = { org_id: org._id, campaign_id: campaign._id };
  const terms = Object.values(target.suppliers);
  const buyerIds = target.buyers.map(({ buyer_id }) => buyer_id);
  const buyers = await known(collections.buyers, org._id, buyerIds, session);
  const supplierIds = Object.keys(target.suppliers);
  const suppliers = await known(collections.suppliers, org._id, supplierIds, session);
  const gone = target.buyers.filter(({ buyer_id }) => !buyers.has(buyer_id));
  if (gone.length > 0) {
    const names = gone.map(({ name }) => name).join(', ');
    const text = `Version ${target.version} sells to ${names}, which has since been deleted. Its leads would go elsewhere`;
    throw new AppError(
      'action_refused',
      `${text}: change the campaign by hand, or revert to a version without it.`,
    );
  }
  const change = {
    $set: {
      ...campaignOf(target),
      ...dedupeSince(campaign.dedupe, target.dedupe, new Date()),
      unpublished,
      ...changedFrom(campaign.plan_version, author),
    },
    ...(target.ping ? {} : { $unset: { ping: '' as const } }),
  };
  await refuseTakenName('campaign', target.name, () =>
    collections.campaigns.updateOne({ _id: campaign._id }, change, { session }),
  );
  const buyerLinks = target.buyers.map((one) => ({
    _id: linkId(campaign._id, one.buyer_id),
    ...place,
    ...buyerLinkOf(one),
  }));
  const supplierLinks = terms
    .filter(({ supplier_id }) => suppliers.has(supplier_id))
    .map((one) => ({
      _id: linkId(campaign._id, one.supplier_id),
      ...place,
      ...supplierLinkOf(one),
    }));
  await replaceLinks(collections.campaignBuyers, campaign._id, buyerLinks, session);
  await replaceLinks(collections.campaignSuppliers, campaign._id, supplierLinks, session);
  return terms
    .filter(({ supplier_id }) => !suppliers.has(supplier_id))
    .map(({ supplier_id, name = null }) => ({ supplier_id, name }));
}

async function known(
  records: AccountCollections['buyers'] | AccountCollections['suppliers'],
  org_id: string,
  ids: readonly string[],
  session: ClientSession,
): Promise<ReadonlySet<string>> {
  const options = { session, projection: { _id: 1 } };
  const found = await (records as AccountCollections['buyers'])
    .find({ _id: { $in: [...ids] }, org_id, removed_at: { $exists: false } }, options)
    .toArray();
  return new Set(found.map(({ _id }) => _id));
}
