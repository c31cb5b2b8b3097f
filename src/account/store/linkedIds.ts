/** Who is linked to a campaign. */
import type { AccountContext } from '../context.js';

/** The buyers of a campaign. */
export const listBuyerIds = (
  { collections, orgId }: Pick<AccountContext, 'collections' | 'orgId'>,
  campaign_id: string,
): Promise<string[]> =>
  collections.campaignBuyers.distinct('buyer_id', { campaign_id, org_id: orgId });

/** A campaign to which a buyer is linked; null: to none. */
export async function findAnyCampaign(
  { collections, orgId }: Pick<AccountContext, 'collections' | 'orgId'>,
  buyer_id: string,
): Promise<string | null> {
  const found = await collections.campaignBuyers.findOne(
    { buyer_id, org_id: orgId },
    { projection: { campaign_id: 1 } },
  );
  return found?.campaign_id ?? null;
}
