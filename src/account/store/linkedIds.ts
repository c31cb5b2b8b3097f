/** Who is linked to a campaign. */
import type { AccountContext } from '../context.js';

/** The buyers of a campaign. */
export const listBuyerIds = (
  { collections, orgId }: Pick<AccountContext, 'collections' | 'orgId'>,
  campaign_id: string,
): Promise<string[]> =>
  collections.campaignBuyers.distinct('buyer_id', { campaign_id, org_id: orgId });

/** The campaign to which a buyer is linked, the first of several by its id; null: to none. */
export async function findFirstCampaign(
  { collections, orgId }: Pick<AccountContext, 'collections' | 'orgId'>,
  buyer_id: string,
): Promise<string | null> {
  const found = await collections.campaignBuyers.findOne(
    { buyer_id, org_id: orgId },
    { projection: { campaign_id: 1 }, sort: { campaign_id: 1 } },
  );
  return found?.campaign_id ?? null;
}

/** How many buyers of campaigns have a schedule. */
export async function countSchedules({
  collections,
  orgId,
}: Pick<AccountContext, 'collections' | 'orgId'>): Promise<number> {
  const campaignIds = await collections.campaigns.distinct('_id', { org_id: orgId });
  const scheduled = { campaign_id: { $in: campaignIds }, schedule: { $type: 'object' as const } };
  return collections.campaignBuyers.countDocuments(scheduled);
}
