/** What a plan contains of the account's own documents: the inverse of `compilePlan`. */
import { isDeepStrictEqual } from 'node:util';
import { SYSTEM_FIELDS } from '../../fields/mapping.js';
import { verticalFields } from '../rules/vertical.js';
import type { BuyerTerms, Plan, SupplierTerms } from '../rules/plan.js';
import type { CampaignDoc } from '../store/campaignDoc.js';
import type { CampaignBuyerDoc, CampaignSupplierDoc } from '../store/accountDocs.js';
import { withoutKeys } from '../../lib/defined.js';
import { overridesOf } from '../links/deliveryOverrides.js';

/** All that a person can set on the campaign itself; without `ping` where no ping settings were made. */
export function campaignOf(
  plan: Plan,
): Omit<CampaignDoc, '_id' | 'org_id' | 'plan_version' | 'created_at'> {
  const { name, status, routing_method, distribution_method, answer_within_ms } = plan;
  const { max_sells, caps, filters, dedupe, ping } = plan;
  const { conversion_window_days = null, share_outcomes = false } = plan;
  // System fields that the campaign does not restrict are not its own.
  const fields = plan.fields.filter(
    (rule) => !SYSTEM_FIELDS.some((system) => isDeepStrictEqual(system, rule)),
  );
  return {
    name,
    status,
    routing_method,
    distribution_method,
    answer_within_ms,
    max_sells,
    caps,
    fields,
    filters,
    dedupe,
    conversion_window_days,
    share_outcomes,
    ...verticalFields(plan.vertical ?? null),
    ...(ping ? { ping } : {}),
  };
}

/** Terms that belong to the buyer itself. */
const OF_BUYER = [
  'name',
  'test_mode',
  'delivery',
  'delivery_overrides',
  'signing_secret',
  'previous_signing',
  'ping',
] as const;

/**
 * Without a status of its own in an old plan, a link has the combined status of buyer and link. A term that the plan
 * lacks is null, which clears a value that was set since.
 */
export function buyerLinkOf(
  terms: BuyerTerms,
): Omit<CampaignBuyerDoc, '_id' | 'org_id' | 'campaign_id'> {
  const { link_status, ...own } = withoutKeys(terms, OF_BUYER);
  const { margin = null, daily_ping_cap = null, conversion_price = null } = terms;
  const said = { margin, daily_ping_cap, conversion_price, delivery: overridesOf(terms) };
  return { ...own, ...said, status: link_status ?? own.status };
}

/** The same for the link of a supplier. */
export function supplierLinkOf(
  terms: SupplierTerms,
): Omit<CampaignSupplierDoc, '_id' | 'org_id' | 'campaign_id'> {
  const { link_status, ...own } = withoutKeys(terms, ['name', 'test_mode']);
  const { daily_ping_cap = null } = terms;
  return { ...own, daily_ping_cap, status: link_status ?? own.status };
}
