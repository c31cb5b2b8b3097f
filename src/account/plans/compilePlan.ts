/** Compiles the editable account into the one document that decides leads. Pure. */
import type { CampaignDoc } from '../store/campaignDoc.js';
import type { SuppressionListDoc } from '../store/suppressionDocs.js';
import type {
  BuyerDoc,
  CampaignBuyerDoc,
  CampaignSupplierDoc,
  OrgDoc,
  SupplierDoc,
} from '../store/accountDocs.js';
import { planId } from '../rules/plan.js';
import type { BuyerTerms, Plan, SupplierTerms, SuppressionRef } from '../rules/plan.js';
import type { FieldRule } from '../../fields/fieldRule.js';
import { SYSTEM_FIELDS } from '../../fields/mapping.js';
import { enabledPing } from '../buyers/buyerPing.js';
import { mergeDelivery, overriddenBy } from '../links/deliveryOverrides.js';

/** One campaign with all that is linked to it, read from the account. */
export interface CampaignAccount {
  org: OrgDoc;
  campaign: CampaignDoc;
  buyers: { link: CampaignBuyerDoc; buyer: BuyerDoc }[];
  suppliers: { link: CampaignSupplierDoc; supplier: SupplierDoc }[];
  /** Lists of the organization, the campaign and its buyers. */
  suppressionLists?: SuppressionListDoc[];
}

/** The plan of a campaign as its account stands; the same account gives the same plan. */
export function compilePlan(account: CampaignAccount, version: number): Plan {
  const { org, campaign, suppressionLists = [] } = account;
  return {
    _id: planId(campaign._id, version),
    org_id: org._id,
    campaign_id: campaign._id,
    version,
    name: campaign.name,
    status: campaign.status,
    ...(campaign.vertical == null ? {} : { vertical: campaign.vertical }),
    routing_method: campaign.routing_method,
    distribution_method: campaign.distribution_method,
    time_zone: org.time_zone,
    answer_within_ms: campaign.answer_within_ms,
    max_sells: campaign.max_sells,
    caps: campaign.caps,
    fields: mergeFields(campaign.fields),
    filters: campaign.filters,
    dedupe: campaign.dedupe,
    ...(campaign.dedupe_since ? { dedupe_since: campaign.dedupe_since } : {}),
    ...(campaign.ping ? { ping: campaign.ping } : {}),
    ...outcomeSettings(campaign),
    ...(suppressionLists.length > 0
      ? {
          suppression: suppressionLists
            .map(suppressionRef)
            .sort((a, b) => compareText(a.list_id, b.list_id)),
        }
      : {}),
    buyers: account.buyers
      .map(({ link, buyer }) => buyerTerms(link, buyer))
      .sort((a, b) => compareText(a.buyer_id, b.buyer_id)),
    suppliers: Object.fromEntries(
      account.suppliers
        .map(({ link, supplier }) => supplierTerms(link, supplier))
        .sort((a, b) => compareText(a.supplier_id, b.supplier_id))
        .map((terms) => [terms.supplier_id, terms]),
    ),
  };
}

/**
 * All fields of a campaign: those of the system, then its own. The campaign may restrict a system field further
 * (require it, limit it); it cannot make a field optional that every lead must have (contract 2.3).
 */
export function mergeFields(own: readonly FieldRule[]): FieldRule[] {
  const byName = new Map(own.map((rule) => [rule.name, rule]));
  const merged = SYSTEM_FIELDS.map((rule) => {
    const given = byName.get(rule.name);
    return given ? { ...given, required: given.required || rule.required } : rule;
  });
  const names = new Set(SYSTEM_FIELDS.map((rule) => rule.name));
  return [...merged, ...own.filter((rule) => !names.has(rule.name))];
}

/** A link is paused when it or its buyer is. */
function buyerTerms(link: CampaignBuyerDoc, buyer: BuyerDoc): BuyerTerms {
  const ping = enabledPing(buyer);
  return {
    buyer_id: buyer._id,
    name: buyer.name,
    status: bothActive(link.status, buyer.status),
    link_status: link.status,
    test_mode: buyer.test_mode,
    price: link.price,
    priority: link.priority,
    weight: link.weight,
    states: link.states,
    zips: link.zips,
    filters: link.filters,
    schedule: link.schedule,
    when_closed: link.when_closed,
    caps: link.caps,
    when_unavailable: link.when_unavailable,
    delivery: mergeDelivery(buyer.delivery, link.delivery),
    ...overriddenBy(link.delivery),
    signing_secret: buyer.signing_secret,
    ...(buyer.previous_signing ? { previous_signing: buyer.previous_signing } : {}),
    ...(link.margin ? { margin: link.margin } : {}),
    ...(ping ? { ping } : {}),
    ...pingCap(link),
    ...(link.conversion_price == null ? {} : { conversion_price: link.conversion_price }),
  };
}

function supplierTerms(link: CampaignSupplierDoc, supplier: SupplierDoc): SupplierTerms {
  return {
    supplier_id: supplier._id,
    name: supplier.name,
    status: bothActive(link.status, supplier.status),
    link_status: link.status,
    test_mode: supplier.test_mode,
    cost_mode: link.cost_mode,
    cost_per_lead: link.cost_per_lead,
    revenue_share: link.revenue_share,
    caps: link.caps,
    ...pingCap(link),
  };
}

/** Absent where none are set, as in plans from before they existed. */
const outcomeSettings = ({ conversion_window_days, share_outcomes }: CampaignDoc) => ({
  ...(conversion_window_days == null ? {} : { conversion_window_days }),
  ...(share_outcomes ? { share_outcomes } : {}),
});

/** Absent where there is none, as in plans from before ping caps existed. */
const pingCap = ({ daily_ping_cap: cap }: Pick<CampaignBuyerDoc, 'daily_ping_cap'>) =>
  cap == null ? {} : { daily_ping_cap: cap };

const suppressionRef = ({ _id, scope, target_id }: SuppressionListDoc): SuppressionRef => ({
  list_id: _id,
  scope,
  ...(scope === 'buyer' ? { buyer_id: target_id } : {}),
});

type ActiveStatus = BuyerTerms['status'];

const bothActive = (a: ActiveStatus, b: ActiveStatus): ActiveStatus =>
  a === 'active' && b === 'active' ? 'active' : 'paused';

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
