/** Restores the account's documents from a plan: the inverse of `compilePlan`. */
import { isDeepStrictEqual } from 'node:util';
import { SYSTEM_FIELDS } from '../../fields/mapping.js';
import { pickDefined } from '../../lib/defined.js';
import { overridesOf } from '../links/deliveryOverrides.js';
import type { BuyerTerms, Plan, SupplierTerms } from '../rules/plan.js';
import { verticalFields } from '../rules/vertical.js';
import { BUYER_LINK } from '../settings/buyerLinkTerms.js';
import { CAMPAIGN } from '../settings/campaignSettings.js';
import { SUPPLIER_LINK } from '../settings/supplierLinkTerms.js';
import type { CampaignDoc } from '../store/campaignDoc.js';

/** All that a person can set on the campaign itself; without `ping` where no ping settings were made. */
export const campaignOf = (
  plan: Plan,
): Omit<CampaignDoc, '_id' | 'org_id' | 'plan_version' | 'created_at'> => ({
  ...CAMPAIGN.always(plan),
  ...CAMPAIGN.orDefault(plan),
  ...verticalFields(plan.vertical ?? null),
  name: plan.name,
  // System fields that the campaign does not restrict are not in its mapping.
  fields: plan.fields.filter(
    (rule) => !SYSTEM_FIELDS.some((system) => isDeepStrictEqual(system, rule)),
  ),
  ...pickDefined(plan, ['ping']),
});

/**
 * Where an old plan has no status of the link, it has the combined status of buyer and link. A term that the plan
 * lacks has its default, which clears a value that was set since.
 */
export const buyerLinkOf = (terms: BuyerTerms) => ({
  buyer_id: terms.buyer_id,
  ...BUYER_LINK.always(terms),
  ...BUYER_LINK.orDefault(terms),
  delivery: overridesOf(terms),
  status: terms.link_status ?? terms.status,
});

/** The same for the link of a supplier. */
export const supplierLinkOf = (terms: SupplierTerms) => ({
  supplier_id: terms.supplier_id,
  ...SUPPLIER_LINK.always(terms),
  ...SUPPLIER_LINK.orDefault(terms),
  status: terms.link_status ?? terms.status,
});
