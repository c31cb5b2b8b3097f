/** The sums of single days of campaigns, as they are counted so far. */
import type { ClientSession, Collection } from 'mongodb';
import type { RollupDoc } from './rollupDocs.js';

export type CampaignDay = Pick<RollupDoc, 'campaign_id' | 'day' | 'by_status'>;

/** Of these campaigns, from a day on (YYYY-MM-DD); a day without leads is absent. */
export const findCampaignDays = (
  rollups: Collection<RollupDoc>,
  campaignIds: readonly string[],
  from: string,
  session?: ClientSession,
): Promise<CampaignDay[]> =>
  rollups
    .find(
      { campaign_id: { $in: [...campaignIds] }, facet: 'all', day: { $gte: from } },
      { session },
    )
    .project<CampaignDay>({ campaign_id: 1, day: 1, by_status: 1 })
    .toArray();

export type DayOfOrg = Pick<RollupDoc, 'org_id' | 'campaign_id' | 'by_status'>;

/**
 * A change is in the sums within seconds; until then they say what was before it.
 * @param day as in the time zone of these organizations, `2026-11-21`
 */
export const readCampaignDays = (
  rollups: Collection<RollupDoc>,
  orgIds: readonly string[],
  day: string,
  limit: number,
): Promise<DayOfOrg[]> =>
  rollups
    .find<DayOfOrg>(
      { org_id: { $in: [...orgIds] }, facet: 'all', day },
      { projection: { _id: 0, org_id: 1, campaign_id: 1, by_status: 1 } },
    )
    .limit(limit)
    .toArray();
