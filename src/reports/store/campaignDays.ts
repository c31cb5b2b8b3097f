/** The sums of single days of campaigns, as reports keep them. */
import type { Collection } from 'mongodb';
import type { RollupDoc } from './rollupDocs.js';

export type CampaignDay = Pick<RollupDoc, 'campaign_id' | 'day' | 'by_status'>;

/** Of these campaigns, from a day on (YYYY-MM-DD); a day without leads is absent. */
export const findCampaignDays = (
  rollups: Collection<RollupDoc>,
  campaignIds: readonly string[],
  from: string,
): Promise<CampaignDay[]> =>
  rollups
    .find({ campaign_id: { $in: [...campaignIds] }, facet: 'all', day: { $gte: from } })
    .project<CampaignDay>({ campaign_id: 1, day: 1, by_status: 1 })
    .toArray();
