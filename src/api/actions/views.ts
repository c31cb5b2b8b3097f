/** Records as the Actions API shows them: ids by their wire names, money in currency, no secrets. */
import { withoutKeys } from '../../lib/defined.js';
import { hiddenHeaders } from '../../account/buyers/delivery/headers.js';
import { BUYER } from '../../account/settings/buyerSettings.js';
import { SUPPLIER } from '../../account/settings/supplierSettings.js';
import { BUYER_LINK } from '../../account/settings/buyerLinkTerms.js';
import { CAMPAIGN } from '../../account/settings/campaignSettings.js';
import { SUPPLIER_LINK } from '../../account/settings/supplierLinkTerms.js';
import type { Clock } from '../../lib/clock.js';
import type { DeliveryOverrides, DeliverySettings } from '../../account/rules/deliverySettings.js';
import type { CampaignDoc } from '../../account/store/campaignDoc.js';
import type {
  BuyerDoc,
  CampaignBuyerDoc,
  CampaignSupplierDoc,
  SupplierDoc,
} from '../../account/store/accountDocs.js';

export const campaignRow = (campaign: CampaignDoc) => ({
  id: campaign._id,
  name: campaign.name,
  version: campaign.plan_version,
  created_at: campaign.created_at,
  ...CAMPAIGN.show(campaign),
});

export const buyerLinkView = (link: CampaignBuyerDoc) => ({
  campaign_id: link.campaign_id,
  buyer_id: link.buyer_id,
  ...BUYER_LINK.show(link),
  delivery: link.delivery ? withoutSecrets(link.delivery) : null,
});

export const supplierLinkView = (link: CampaignSupplierDoc) => ({
  campaign_id: link.campaign_id,
  supplier_id: link.supplier_id,
  ...SUPPLIER_LINK.show(link),
});

export const buyerRow = (buyer: BuyerDoc) => ({
  id: buyer._id,
  name: buyer.name,
  ...BUYER.show(buyer),
  archived_at: buyer.archived_at ?? null,
  created_at: buyer.created_at,
});

/** The settings of a delivery; the values of headers, which hold the buyer's own keys, are not shown. */
export const deliveryView = ({ delivery }: Pick<BuyerDoc, 'delivery'>): Record<string, unknown> =>
  withoutSecrets(delivery);

const withoutSecrets = (
  delivery: DeliverySettings | DeliveryOverrides,
): Record<string, unknown> => ({
  ...withoutKeys(delivery as DeliverySettings & { checked?: true }, ['checked']),
  ...('headers' in delivery ? { headers: hiddenHeaders(delivery.headers ?? {}) } : {}),
});

/** An instant that matters only in the future; null once it is over. */
export const stillAhead = (until: Date | undefined, clock: Pick<Clock, 'now'>): Date | null =>
  until && until > clock.now() ? until : null;

export const supplierRow = (supplier: SupplierDoc) => ({
  id: supplier._id,
  name: supplier.name,
  ...SUPPLIER.show(supplier),
  created_at: supplier.created_at,
});
