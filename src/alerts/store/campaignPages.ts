/** The campaigns of all organizations, page by page. */
import type { Collection } from 'mongodb';
import type { CampaignDoc } from '../../account/store/campaignDoc.js';

export type ListedCampaign = Pick<CampaignDoc, '_id' | 'status' | 'plan_version'>;

/** Those after this id, in the order of their ids: by the index that every collection has. */
export const findCampaignPage = (
  campaigns: Collection<CampaignDoc>,
  after: string,
  limit: number,
): Promise<ListedCampaign[]> =>
  campaigns
    .find({ _id: { $gt: after } })
    .sort({ _id: 1 })
    .limit(limit)
    .project<ListedCampaign>({ status: 1, plan_version: 1 })
    .toArray();
