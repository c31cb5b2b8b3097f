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
import {
  planId,
  type BuyerTerms,
  type Plan,
  type SupplierTerms,
  type SuppressionRef,
} from '../rules/plan.js';
import type { FieldRule } from '../../fields/fieldRule.js';
import { SYSTEM_FIELDS } from '../../fields/mapping.js';
import { defined } from '../../lib/defined.js';
import { enabledPing } from '../buyers/buyerPing.js';
import { BUYER_LINK } from '../settings/buyerLinkTerms.js';
import { CAMPAIGN } from '../settings/campaignSettings.js';
import { SUPPLIER_LINK } from '../settings/supplierLinkTerms.js';
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

/** The plan of a campaign as its account stands; the same account gives the same plan, to the order of its keys. */
export function compilePlan(account: CampaignAccount, version: number): Plan {
  const { org, campaign, suppressionLists = [] } = account;
  const { status, routing_method, distribution_method, filters, dedupe, ...settings } =
    CAMPAIGN.always(campaign);
  const { vertical, ...later } = CAMPAIGN.whereSet(campaign);
  return defined({
    _id: planId(campaign._id, version),
    org_id: org._id,
    campaign_id: campaign._id,
    version,
    name: campaign.name,
    status,
    vertical,
    routing_method,
    distribution_method,
    time_zone: org.time_zone,
    ...settings,
    fields: mergeFields(campaign.fields),
    filters,
    dedupe,
    dedupe_since: campaign.dedupe_since,
    ping: campaign.ping,
    ...later,
    // Absent: nothing is looked up.
    suppression: suppressionLists.length === 0 ? undefined : suppressionRefs(suppressionLists),
    buyers: account.buyers
      .map(({ link, buyer }) => buyerTerms(link, buyer))
      .sort((a, b) => compareText(a.buyer_id, b.buyer_id)),
    suppliers: Object.fromEntries(
      account.suppliers
        .map(({ link, supplier }) => supplierTerms(link, supplier))
        .sort((a, b) => compareText(a.supplier_id, b.supplier_id))
        .map((terms) => [terms.supplier_id, terms]),
    ),
  });
}

/**
 * All fields of a campaign: the system fields, then those of its mapping. The campaign may restrict a system field further
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
  const { status, when_unavailable, ...terms } = BUYER_LINK.always(link);
  const { margin, ...later } = BUYER_LINK.whereSet(link);
  return defined({
    buyer_id: buyer._id,
    name: buyer.name,
    status: bothActive(status, buyer.status),
    link_status: status,
    test_mode: buyer.test_mode,
    ...terms,
    when_unavailable,
    delivery: mergeDelivery(buyer.delivery, link.delivery),
    ...overriddenBy(link.delivery),
    signing_secret: buyer.signing_secret,
    previous_signing: buyer.previous_signing,
    margin,
    ping: enabledPing(buyer),
    ...later,
  });
}

function supplierTerms(link: CampaignSupplierDoc, supplier: SupplierDoc): SupplierTerms {
  const { status, ...terms } = SUPPLIER_LINK.always(link);
  return {
    supplier_id: supplier._id,
    name: supplier.name,
    status: bothActive(status, supplier.status),
    link_status: status,
    test_mode: supplier.test_mode,
    ...terms,
    ...SUPPLIER_LINK.whereSet(link),
  };
}

const suppressionRefs = (lists: readonly SuppressionListDoc[]): SuppressionRef[] =>
  lists
    .map(({ _id, scope, target_id }) =>
      defined({ list_id: _id, scope, buyer_id: scope === 'buyer' ? target_id : undefined }),
    )
    .sort((a, b) => compareText(a.list_id, b.list_id));

type ActiveStatus = BuyerTerms['status'];

const bothActive = (a: ActiveStatus, b: ActiveStatus): ActiveStatus =>
  a === 'active' && b === 'active' ? 'active' : 'paused';

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
