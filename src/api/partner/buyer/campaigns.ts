/** The campaigns of a buyer's leads: their names and mappings. */
import { mergeFields } from '../../../account/plans/compilePlan.js';
import type { CampaignDoc } from '../../../account/store/campaignDoc.js';
import type { CampaignBuyerDoc } from '../../../account/store/accountDocs.js';
import type { FieldRule } from '../../../fields/fieldRule.js';
import type { PartnerContext } from '../call.js';
import { newestCampaigns, newestLinks, type OwnLinks } from '../links.js';
import { notYours } from '../refusals.js';
import { shownRules } from '../shownFields.js';

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

/** Those of these rows. */
export const campaignsOf = (rows: readonly { campaign_id: string }[], context: Context) =>
  readCampaigns(
    rows.map(({ campaign_id }) => campaign_id),
    context,
  );

export const nameOf = (known: ReadonlyMap<string, KnownCampaign>, id: string) => ({
  id,
  name: known.get(id)?.name ?? '',
});

const ownLinks = ({ collections, org_id, party_id }: Context): OwnLinks<CampaignBuyerDoc> => ({
  links: collections.campaignBuyers,
  own: { org_id, buyer_id: party_id },
});

/** The links of the buyer, newest campaign first; archived campaigns are left out. */
export const readLinks = (context: Context): Promise<CampaignBuyerDoc[]> =>
  newestLinks(ownLinks(context), context);

/** The shown fields of the buyer's campaigns. Archived ones are among them: the buyer still has their leads. */
export async function readShownRules(
  context: Context & Pick<PartnerContext, 'settings'>,
): Promise<FieldRule[]> {
  const ids = await newestCampaigns(ownLinks(context), context, 'all');
  const campaigns = await readCampaigns(ids, context);
  return [...campaigns.values()].flatMap(({ fields }) => shownRules(context.settings, fields));
}

/** @throws {AppError} `not_found` for a campaign that the buyer is not linked to, even another organization's */
export async function requireLink(campaign_id: string, { collections, org_id, party_id }: Context) {
  const link = await collections.campaignBuyers.findOne({
    _id: `${campaign_id}:${party_id}`,
    org_id,
  });
  if (link) return link;
  throw notYours();
}
