/** The campaigns that a buyer or a supplier is linked to. */
import type { Collection, Document } from 'mongodb';
import type { CampaignBuyerDoc, CampaignSupplierDoc } from './accountDocs.js';
import type { AccountCollections } from './collections.js';

/** Links that are shown. */
const LINKS_MAX = 500;

/** A link with its campaign; null where that is gone. */
export type LinkWithCampaign<T> = T & { campaign: { name: string; status: string } | null };

type Stored = Pick<AccountCollections, 'campaigns' | 'campaignBuyers' | 'campaignSuppliers'>;

/** In the order of their campaigns' names. */
export const findLinksOfBuyer = (
  { campaigns, campaignBuyers }: Stored,
  org_id: string,
  buyer_id: string,
): Promise<LinkWithCampaign<CampaignBuyerDoc>[]> =>
  withCampaigns(campaignBuyers, campaigns.collectionName, { buyer_id, org_id });

/** In the order of their campaigns' names. */
export const findLinksOfSupplier = (
  { campaigns, campaignSuppliers }: Stored,
  org_id: string,
  supplier_id: string,
): Promise<LinkWithCampaign<CampaignSupplierDoc>[]> =>
  withCampaigns(campaignSuppliers, campaigns.collectionName, { supplier_id, org_id });

const withCampaigns = <T extends Document>(
  links: Collection<T>,
  from: string,
  match: Document,
): Promise<LinkWithCampaign<T>[]> =>
  links
    .aggregate<LinkWithCampaign<T>>([
      { $match: match },
      { $limit: LINKS_MAX },
      {
        $lookup: {
          from,
          localField: 'campaign_id',
          foreignField: '_id',
          pipeline: [{ $project: { _id: 0, name: 1, status: 1 } }],
          as: 'campaign',
        },
      },
      { $set: { campaign: { $ifNull: [{ $first: '$campaign' }, null] } } },
      { $sort: { 'campaign.name': 1, campaign_id: 1 } },
    ])
    .toArray();
