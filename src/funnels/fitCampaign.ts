/** Changes of a campaign, and the published funnels that depend on it. */
import type { CampaignDoc } from '../account/store/campaignDoc.js';
import { invalidValue } from '../account/values.js';
import { checkFieldRules } from '../fields/mapping.js';
import { misfits, type LeadRules } from './campaign.js';
import { readStored } from './keptPictures.js';
import type { FunnelCollections } from './store/collections.js';
import type { FunnelDoc } from './store/funnelDocs.js';

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
