/** The campaign and the supplier that the leads of a funnel go to, and whether a funnel and its campaign fit. */
import { linkId } from '../account/links/storeLink.js';
import type { AccountContext } from '../account/context.js';
import { createFieldTools } from '../account/access/fieldTools.js';
import { findCampaign } from '../account/campaigns/campaigns.js';
import { mergeFields } from '../account/plans/compilePlan.js';
import { planId } from '../account/rules/plan.js';
import type { SupplierDoc } from '../account/store/accountDocs.js';
import type { CampaignDoc } from '../account/store/campaignDoc.js';
import { findSupplier } from '../account/suppliers/suppliers.js';
import { invalidValue } from '../account/values.js';
import { checkFieldRules } from '../fields/mapping.js';
import { AppError, type InputFault } from '../lib/errors.js';
import { readStored } from './pictures.js';
import { checkAgainstCampaign } from './rules/checkAgainstCampaign.js';
import type { FunnelDefinition } from './rules/definition.js';
import { linkWarnings, type LinkTerms } from './rules/linkNeeds.js';
import type { AccountCollections } from '../account/store/collections.js';
import type { FunnelCollections } from './store/collections.js';
import type { FunnelDoc } from './store/funnelDocs.js';

type Linked = Pick<FunnelDoc, 'campaign_id' | 'supplier_id'>;

/**
 * The campaign and the supplier, which are linked.
 * @throws {AppError} `not_found` for either, `validation_failed` when the supplier is not one of the campaign
 */
export async function requireLinked(
  { collections, orgId }: Pick<AccountContext, 'collections' | 'orgId'>,
  { campaign_id, supplier_id }: Linked,
): Promise<{ campaign: CampaignDoc; supplier: SupplierDoc }> {
  const campaign = await findCampaign({ collections, orgId }, campaign_id);
  const supplier = await findSupplier({ collections, orgId }, supplier_id);
  const link = await collections.campaignSuppliers.findOne({
    _id: linkId(campaign_id, supplier_id),
  });
  if (link) return { campaign, supplier };
  throw invalidValue(
    'supplier_id',
    'not_allowed',
    'supplier_id must be a supplier of the campaign: link it first (add_supplier_to_campaign).',
  );
}

/** The parts of a campaign that decide which leads it accepts. */
type LeadRules = Pick<CampaignDoc, 'fields' | 'routing_method'>;

/** Every way in which the funnel's leads differ from those that the campaign accepts; empty: it fits. */
export async function misfits(
  definition: FunnelDefinition,
  { fields: own, routing_method }: LeadRules,
): Promise<InputFault[]> {
  const fields = mergeFields(own);
  return checkAgainstCampaign(definition, fields, await createFieldTools(fields), {
    isPingPost: routing_method === 'PING_POST',
  });
}

/** Fields that buyers of the published campaign need and the funnel does not supply. A sentence each. */
export async function warningsOfLinks(
  definition: FunnelDefinition,
  { _id, plan_version, fields }: CampaignDoc,
  { plans }: Pick<AccountCollections, 'plans'>,
): Promise<string[]> {
  const projection = Object.fromEntries(TERMS.map((name) => [`buyers.${name}`, 1]));
  const plan = await plans.findOne({ _id: planId(_id, plan_version) }, { projection });
  return linkWarnings(definition, mergeFields(fields), plan?.buyers ?? []);
}

const TERMS = [
  'name',
  'status',
  'states',
  'zips',
  'filters',
] as const satisfies (keyof LinkTerms)[];

type Read = Pick<FunnelCollections, 'funnels' | 'funnelVersions'>;

/**
 * Called before a campaign's fields change, or it starts to answer pings. A funnel that does not fit the campaign as
 * it is now prevents no change.
 * @param changes the new values
 * @throws {AppError} `validation_failed`, naming the first published funnel that they would break
 */
export async function requireFunnelsFit(
  collections: Read,
  campaign: Pick<CampaignDoc, '_id'> & LeadRules,
  changes: Partial<LeadRules>,
): Promise<void> {
  const { fields = campaign.fields, routing_method = campaign.routing_method } = changes;
  if (fields === campaign.fields && routing_method === campaign.routing_method) return;
  // The campaign's own rules refuse new fields that no campaign may have; stored ones may be older than a rule.
  if (fields !== campaign.fields && checkFieldRules(fields, campaign.fields).length > 0) return;
  const published = collections.funnels.find(
    { campaign_id: campaign._id, status: 'published' },
    { projection: { name: 1, published_version: 1 } },
  );
  const field = fields === campaign.fields ? 'routing_method' : 'fields';
  for await (const funnel of published) {
    const problem = await breaks(collections, funnel, campaign, { fields, routing_method });
    if (problem === null) continue;
    const text = `${field} must suit the published funnel "${funnel.name}" (${funnel._id})`;
    const help = 'Publish another definition of it first, or unpublish it.';
    throw invalidValue(field, 'not_allowed', `${text}: ${problem} ${help}`);
  }
}

/** Maximum funnels that are named. */
const NAMED_MAX = 20;

/** The published funnels of a campaign, or of one of its suppliers alone: they send leads there. At most 20. */
export const listPublished = (
  { funnels }: Pick<FunnelCollections, 'funnels'>,
  { campaign_id, supplier_id }: Pick<Linked, 'campaign_id'> & Partial<Linked>,
): Promise<Pick<FunnelDoc, '_id' | 'name'>[]> =>
  funnels
    .find({ campaign_id, status: 'published', supplier_id }, { projection: { name: 1 } })
    .limit(NAMED_MAX)
    .toArray();

/**
 * Called before a supplier is taken out of a campaign: a funnel that visitors see would lose their leads.
 * @throws {AppError} `action_refused`, naming the published funnels of the supplier in the campaign
 */
export async function requireNoFunnel(
  collections: Pick<FunnelCollections, 'funnels'>,
  linked: Linked,
): Promise<void> {
  const published = await listPublished(collections, linked);
  if (published.length === 0) return;
  const names = published.map(({ _id, name }) => `"${name}" (${_id})`).join(', ');
  const text = `Visitors of ${names} send their leads for this supplier. Unpublish it first (unpublish_funnel)`;
  throw new AppError('action_refused', `${text}; nothing was changed.`);
}

/** The problem that the changes cause in the funnel; null when there is none, or when it has problems already. */
async function breaks(
  { funnelVersions }: Read,
  { _id, published_version }: Pick<FunnelDoc, '_id' | 'published_version'>,
  now: LeadRules,
  then: LeadRules,
): Promise<string | null> {
  const version = await funnelVersions.findOne({ _id: `${_id}:${published_version ?? 0}` });
  if (!version) return null;
  const definition = readStored(version.definition);
  const [problem] = await misfits(definition, then);
  const isNew = problem !== undefined && (await misfits(definition, now)).length === 0;
  return isNew ? problem.message : null;
}
