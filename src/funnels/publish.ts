/** What visitors see: versions of a funnel, each published once and never changed. */
import type { Actor } from '../account/store/auditDocs.js';
import type { CampaignDoc } from '../account/store/campaignDoc.js';
import { AppError } from '../lib/errors.js';
import { retryOnConflict } from '../lib/retry.js';
import { isDuplicateKey } from '../platform/mongo/databaseErrors.js';
import { requireLinked } from './campaign.js';
import { checkDefinition, findFunnel, type FunnelContext } from './funnels.js';
import type { FunnelDoc, FunnelVersionDoc } from './store/funnelDocs.js';

type Writing = Pick<FunnelContext, 'collections' | 'clock'>;

export interface Published {
  funnel: FunnelDoc;
  version: number;
  warnings: string[];
}

/** The live address works all the same. */
const NOT_EMBEDDED =
  'definition.embed.domains is empty: embed_code works on no page. To embed the funnel, name the hosts of the pages ' +
  'there, such as ["www.example.com"] (update_funnel), and publish it again.';

/**
 * Shows the draft to visitors, as a new version unless the latest was published from the same draft already.
 * @throws {AppError} `not_found` for the funnel, its campaign or supplier; `validation_failed` with every fault of the
 * draft, which the campaign may have changed since
 */
export const publishFunnel = (
  context: FunnelContext,
  funnelId: string,
  by: Actor,
): Promise<Published> =>
  retryOnConflict(async () => {
    const funnel = await findFunnel(context, funnelId);
    const { campaign, supplier } = await requireLinked(context, funnel);
    const { warnings } = await checkDefinition(context, funnel, funnel.definition);
    if (campaign.status !== 'ACTIVE')
      warnings.push(`The campaign is ${campaign.status}: visitors see a closed form.`);
    if (supplier.status !== 'active')
      warnings.push('The supplier is paused: visitors see a closed form.');
    if (funnel.definition.embed.domains.length === 0) warnings.push(NOT_EMBEDDED);
    const isLatest =
      funnel.published_version !== null && funnel.published_draft === funnel.draft_version;
    const version = isLatest
      ? (funnel.published_version ?? 0)
      : await insertVersion(context, funnel, campaign, by);
    const shown = await show(context, funnel, version);
    return { funnel: shown, version, warnings };
  });

/** The number of the new version. It skips numbers that another process took, or stored without publishing them. */
async function insertVersion(
  { collections, clock }: Writing,
  funnel: FunnelDoc,
  { plan_version }: Pick<CampaignDoc, 'plan_version'>,
  { kind, id, name }: Actor,
): Promise<number> {
  for (let version = (funnel.published_version ?? 0) + 1; ; version += 1) {
    const doc: FunnelVersionDoc = {
      _id: `${funnel._id}:${version}`,
      org_id: funnel.org_id,
      funnel_id: funnel._id,
      version,
      campaign_id: funnel.campaign_id,
      supplier_id: funnel.supplier_id,
      definition: funnel.definition,
      plan_version,
      published_at: clock.now(),
      published_by: { kind, id, name },
    };
    try {
      await collections.funnelVersions.insertOne(doc);
      return version;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }
}

/** @throws {AppError} `version_conflict` when the draft or its publication changed meanwhile */
async function show(
  { collections, clock }: Writing,
  { _id, draft_version, published_version, status }: FunnelDoc,
  version: number,
): Promise<FunnelDoc> {
  const isShown = status === 'published' && published_version === version;
  const now = isShown ? undefined : clock.now();
  const shown = await collections.funnels.findOneAndUpdate(
    { _id, draft_version, published_version, status },
    {
      $set: {
        status: 'published',
        published_version: version,
        published_draft: draft_version,
        published_at: now,
        updated_at: now,
      },
    },
    { returnDocument: 'after' },
  );
  if (shown) return shown;
  throw new AppError('version_conflict', 'The funnel was changed meanwhile. Read it again.');
}

/**
 * Visitors see from now on that it is closed; visitors who have begun a page see so when they submit it. Its draft and
 * its versions stay.
 * @throws {AppError} `not_found`; `action_refused` for one that was never published
 */
export async function unpublishFunnel(
  context: Omit<FunnelContext, 'funnels'>,
  funnelId: string,
): Promise<FunnelDoc> {
  const { collections, orgId, clock } = context;
  const unpublished = await collections.funnels.findOneAndUpdate(
    { _id: funnelId, org_id: orgId, status: 'published' },
    { $set: { status: 'unpublished', updated_at: clock.now() } },
    { returnDocument: 'after' },
  );
  if (unpublished) return unpublished;
  const current = await findFunnel(context, funnelId);
  if (current.status === 'unpublished') return current;
  throw new AppError('action_refused', `${current.name} is not published.`);
}
