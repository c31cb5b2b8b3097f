/** The campaigns of a buyer's leads: their names and mappings. */
import { mergeFields } from '../../../account/plans/compilePlan.js';
import type { CampaignDoc } from '../../../account/store/campaignDoc.js';
import type { FieldRule } from '../../../fields/fieldRule.js';
import type { PartnerContext } from '../call.js';
import { notYours } from '../refusals.js';

export interface KnownCampaign {
  id: string;
  name: string;
  /** The mapping as it is now, fields of the system too. */
  fields: FieldRule[];
}

type Context = Pick<PartnerContext, 'collections' | 'org_id' | 'party_id'>;

/** By id, those of the organization among them. */
export async function readCampaigns(
  ids: Iterable<string>,
  { collections, org_id }: Context,
): Promise<Map<string, KnownCampaign>> {
  const found = await collections.campaigns
    .find({ _id: { $in: [...new Set(ids)] }, org_id })
    .project<Pick<CampaignDoc, '_id' | 'name' | 'fields'>>({ name: 1, fields: 1 })
    .toArray();
  return new Map(
    found.map(({ _id, name, fields }) => [_id, { id: _id, name, fields: mergeFields(fields) }]),
  );
}

export const nameOf = (known: ReadonlyMap<string, KnownCampaign>, id: string) => ({
  id,
  name: known.get(id)?.name ?? '',
});

/** The links of the buyer, by campaign. */
export const readLinks = ({ collections, org_id, party_id }: Context) =>
  collections.campaignBuyers.find({ org_id, buyer_id: party_id }).toArray();

/** @throws {AppError} `not_found` for a campaign that the buyer is not linked to, even another organization's */
export async function requireLink(campaign_id: string, { collections, org_id, party_id }: Context) {
  const link = await collections.campaignBuyers.findOne({
    _id: `${campaign_id}:${party_id}`,
    org_id,
  });
  if (link) return link;
  throw notYours();
}
