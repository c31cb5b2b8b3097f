/** Records as the Actions API shows them: ids by their wire names, money in currency, no secrets. */
import { withoutKeys } from '../../lib/defined.js';
import { hiddenHeaders } from '../../account/buyers/delivery/headers.js';
import { marginView } from '../../account/campaigns/pingSettings.js';
import { PING_RATE } from '../../account/rateLimit.js';
import type { Clock } from '../../lib/clock.js';
import { capsShape } from '../../account/rules/planShape.js';
import { fromMicros } from '../../fields/money.js';
import type { DeliveryOverrides, DeliverySettings } from '../../account/rules/deliverySettings.js';
import type { CapLimits } from '../../account/rules/capLimits.js';
import type { CampaignDoc } from '../../account/store/campaignDoc.js';
import type {
  BuyerDoc,
  CampaignBuyerDoc,
  CampaignSupplierDoc,
  SupplierDoc,
} from '../../account/store/accountDocs.js';

/** Every limit, null where there is none. */
const capsView = (limits: CapLimits): CapLimits => capsShape(limits);

/** The given values over the present ones, as a person writes them; absent where none was given. */
export function capsGiven(input: CapLimits, current: CapLimits): CapLimits | undefined {
  const keys = Object.keys(capsView({})) as (keyof CapLimits)[];
  const given = keys.filter((key) => input[key] !== undefined);
  if (given.length === 0) return undefined;
  return { ...capsView(current), ...Object.fromEntries(given.map((key) => [key, input[key]])) };
}

export const campaignRow = (campaign: CampaignDoc) => ({
  id: campaign._id,
  name: campaign.name,
  status: campaign.status,
  vertical: campaign.vertical ?? null,
  campaign_type: campaign.campaign_type ?? 'LEADS',
  routing_method: campaign.routing_method,
  distribution_method: campaign.distribution_method,
  max_sells: campaign.max_sells,
  version: campaign.plan_version,
  created_at: campaign.created_at.toISOString(),
  ...capsView(campaign.caps),
});

export function buyerLinkView(link: CampaignBuyerDoc) {
  const { campaign_id, buyer_id, status, priority, weight, states, zips, filters, schedule } = link;
  const { when_closed, when_unavailable } = link;
  return {
    campaign_id,
    buyer_id,
    status,
    price: fromMicros(link.price),
    priority,
    weight,
    states,
    zips,
    filters,
    schedule,
    when_closed,
    when_unavailable,
    ...capsView(link.caps),
    margin: link.margin ? marginView(link.margin) : null,
    daily_ping_cap: link.daily_ping_cap ?? null,
    conversion_price: link.conversion_price == null ? null : fromMicros(link.conversion_price),
    delivery: link.delivery ? withoutSecrets(link.delivery) : null,
  };
}

export function supplierLinkView(link: CampaignSupplierDoc) {
  const { campaign_id, supplier_id, status, cost_mode, revenue_share } = link;
  const cost_per_lead = fromMicros(link.cost_per_lead);
  return {
    campaign_id,
    supplier_id,
    status,
    cost_mode,
    cost_per_lead,
    revenue_share,
    ...capsView(link.caps),
    daily_ping_cap: link.daily_ping_cap ?? null,
  };
}

export const buyerRow = (buyer: BuyerDoc) => ({
  id: buyer._id,
  name: buyer.name,
  email: buyer.email ?? null,
  phone: buyer.phone ?? null,
  location: buyer.location ?? null,
  status: buyer.status,
  test_mode: buyer.test_mode,
  created_at: buyer.created_at.toISOString(),
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
export const stillAhead = (until: Date | undefined, clock: Pick<Clock, 'now'>): string | null =>
  until && until > clock.now() ? until.toISOString() : null;

export const supplierRow = (supplier: SupplierDoc) => ({
  id: supplier._id,
  name: supplier.name,
  status: supplier.status,
  test_mode: supplier.test_mode,
  rate_limit: supplier.rate_limit,
  ping_rate_limit: supplier.ping_rate_limit ?? PING_RATE.defaults,
  created_at: supplier.created_at.toISOString(),
});
