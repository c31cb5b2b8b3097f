/** Reads one campaign with everything that is linked to it. */
import type { Collections } from '../store/collections.js';
import { AppError } from '../errors.js';
import type { CampaignAccount } from './compilePlan.js';

/**
 * Links whose buyer or supplier is gone are left out.
 * @throws {AppError} `not_found` when the campaign or its organisation is gone
 */
export async function loadCampaign(
  collections: Collections,
  campaignId: string,
): Promise<CampaignAccount> {
  const campaign = await collections.campaigns.findOne({ _id: campaignId });
  if (!campaign) throw new AppError('not_found', `There is no campaign ${campaignId}.`);
  const [org, buyerLinks, supplierLinks] = await Promise.all([
    collections.orgs.findOne({ _id: campaign.org_id }),
    collections.campaignBuyers.find({ campaign_id: campaignId }).toArray(),
    collections.campaignSuppliers.find({ campaign_id: campaignId }).toArray(),
  ]);
  if (!org) throw new AppError('not_found', `There is no organisation ${campaign.org_id}.`);
  const targets = [org._id, campaignId, ...buyerLinks.map((link) => link.buyer_id)];
  const [buyers, suppliers, suppressionLists] = await Promise.all([
    collections.buyers.find({ _id: { $in: buyerLinks.map((link) => link.buyer_id) } }).toArray(),
    collections.suppliers
      .find({ _id: { $in: supplierLinks.map((link) => link.supplier_id) } })
      .toArray(),
    collections.suppressionLists
      .find({ org_id: org._id, target_id: { $in: targets }, removed_at: { $exists: false } })
      .toArray(),
  ]);
  const buyerById = new Map(buyers.map((buyer) => [buyer._id, buyer]));
  const supplierById = new Map(suppliers.map((supplier) => [supplier._id, supplier]));
  return {
    org,
    campaign,
    suppressionLists,
    buyers: buyerLinks.flatMap((link) => {
      const buyer = buyerById.get(link.buyer_id);
      return buyer ? [{ link, buyer }] : [];
    }),
    suppliers: supplierLinks.flatMap((link) => {
      const supplier = supplierById.get(link.supplier_id);
      return supplier ? [{ link, supplier }] : [];
    }),
  };
}
