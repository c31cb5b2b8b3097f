/** The campaigns of a supplier: those that it is linked to, and no others. */
import type { CampaignSupplierDoc } from '../../../account/store/accountDocs.js';
import type { CampaignDoc } from '../../../account/store/campaignDoc.js';
import { readNames } from '../../actions/recordNames.js';
import type { PartnerContext } from '../call.js';
import { newestLinks } from '../links.js';
import { notYours } from '../refusals.js';

export interface SupplierLink {
  link: CampaignSupplierDoc;
  campaign: CampaignDoc;
}

type Context = Pick<PartnerContext, 'collections' | 'org_id' | 'party_id'>;

/** In the order of their names; archived campaigns are left out. */
export async function linksOf(context: Context): Promise<SupplierLink[]> {
  const { collections, org_id, party_id } = context;
  const own = { links: collections.campaignSuppliers, own: { org_id, supplier_id: party_id } };
  const links = await newestLinks(own, context);
  const campaigns = await collections.campaigns
    .find({ _id: { $in: links.map(({ campaign_id }) => campaign_id) }, org_id })
    .toArray();
  const byId = new Map(campaigns.map((campaign) => [campaign._id, campaign]));
  return links
    .flatMap((link) => {
      const campaign = byId.get(link.campaign_id);
      return campaign ? [{ link, campaign }] : [];
    })
    .sort((a, b) => a.campaign.name.localeCompare(b.campaign.name));
}

/** @throws {AppError} `not_found` for a campaign that the supplier is not linked to, whether there is one or not */
export async function linkOf(
  { collections, org_id, party_id }: Context,
  campaignId: string,
): Promise<SupplierLink> {
  const [link, campaign] = await Promise.all([
    collections.campaignSuppliers.findOne({ _id: `${campaignId}:${party_id}`, org_id }),
    collections.campaigns.findOne({ _id: campaignId, org_id }),
  ]);
  if (link && campaign && campaign.status !== 'ARCHIVED') return { link, campaign };
  throw notYours();
}

/** Campaigns by id, for rows of the past: a deleted one is shown by its id. */
export async function readCampaignNames(
  { collections, org_id }: Context,
  ids: readonly string[],
): Promise<(id: string) => { id: string; name: string }> {
  const names = await readNames(collections.campaigns, ids, org_id);
  return (id) => ({ id, name: names.get(id) ?? id });
}
