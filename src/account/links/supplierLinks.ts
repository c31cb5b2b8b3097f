import type { PlanAuthor } from '../rules/plan.js';
import type { AccountCollections } from '../store/collections.js';
import type { CampaignSupplierDoc } from '../store/accountDocs.js';
import { findCampaign } from '../campaigns/campaigns.js';
import { definedOnly, pickDefined } from '../../lib/defined.js';
import {
  changeLink,
  foundLink,
  publishLink,
  requireRoom,
  upsertLink,
  type LinkKey,
  type StoredLink,
} from './storeLink.js';
import { findSupplier } from '../suppliers/suppliers.js';
import { checkCaps, DailyPingCap, type CapInput } from '../capsSchema.js';
import { checkEach, checkMoney, checkValue } from '../values.js';
import { RevenueShare } from './termsSchema.js';

/** The terms on which a supplier's leads are bought; every one has a default. */
export interface SupplierLinkInput extends Partial<
  Pick<CampaignSupplierDoc, 'status' | 'cost_mode'>
> {
  /** In currency, at most 4 decimals; the cost under FIXED. */
  cost_per_lead?: number;
  /** Percent of the buyer's price, 0 to 100; the cost under REVENUE_SHARE. */
  revenue_share?: number;
  caps?: CapInput;
  /** Maximum pings per day; null: no limit. */
  daily_ping_cap?: number | null;
}

/** A supplier and a campaign of one organization. */
export interface SupplierLinkKey {
  org_id: string;
  campaign_id: string;
  supplier_id: string;
}

/**
 * Links a supplier to a campaign and publishes it. An existing link gets the given terms.
 * @param isNew an existing link is refused instead, however many are made at once
 * @throws {AppError} `not_found` for either side, `validation_failed` for a bad value or one supplier too many,
 * `action_refused`
 */
export async function linkSupplier(
  collections: AccountCollections,
  key: SupplierLinkKey,
  input: SupplierLinkInput,
  author?: PlanAuthor,
  isNew = false,
): Promise<CampaignSupplierDoc> {
  const stored = await storeSupplierLink(collections, key, input, author, isNew);
  return publishLink(collections, collections.campaignSuppliers, stored, author);
}

/** The same without publishing, for a caller that stores several records and then publishes once. */
export async function storeSupplierLink(
  collections: AccountCollections,
  key: SupplierLinkKey,
  input: SupplierLinkInput,
  author?: PlanAuthor,
  isNew = false,
): Promise<StoredLink<CampaignSupplierDoc>> {
  const terms = checkTerms(input);
  await findCampaign(collections, key.org_id, key.campaign_id);
  await findSupplier({ collections, orgId: key.org_id }, key.supplier_id);
  const defaults: Omit<CampaignSupplierDoc, '_id'> = {
    ...key,
    status: 'active',
    cost_mode: 'FIXED',
    cost_per_lead: 0,
    revenue_share: 0,
    caps: {},
  };
  await requireRoom(collections.campaignSuppliers, named(key));
  return upsertLink(collections.campaignSuppliers, named(key), { terms, defaults, isNew }, author);
}

/**
 * Sets what is given, leaves the rest, and publishes.
 * @param seen the link that the changes were made from; refused when its caps have changed since; null: there was none
 * @throws {AppError} `version_conflict`, `not_found` when there is no such link, `validation_failed` for a bad value
 */
export async function updateSupplierLink(
  collections: AccountCollections,
  key: SupplierLinkKey,
  changes: SupplierLinkInput,
  seen?: Pick<CampaignSupplierDoc, 'caps'> | null,
  author?: PlanAuthor,
): Promise<CampaignSupplierDoc> {
  const terms = checkTerms(changes);
  if (seen === null) foundLink(seen, named(key));
  return changeLink(
    collections,
    collections.campaignSuppliers,
    named(key),
    {
      terms,
      seen: seen ? { caps: seen.caps } : null,
      conflict: 'Its limits were changed at the same time.',
    },
    author,
  );
}

const named = ({ org_id, campaign_id, supplier_id }: SupplierLinkKey): LinkKey => ({
  org_id,
  campaign_id,
  kind: 'supplier',
  partner_id: supplier_id,
});

function checkTerms(input: SupplierLinkInput) {
  const { cost_per_lead: cost, revenue_share: share, caps } = input;
  return definedOnly({
    ...pickDefined(input, ['status', 'cost_mode']),
    // The operator sets this status: from then on only the operator resumes the link.
    paused_by: input.status && null,
    ...checkEach({
      cost_per_lead: () => (cost === undefined ? undefined : checkMoney('cost_per_lead', cost)),
      revenue_share: () =>
        share === undefined ? undefined : checkValue('revenue_share', RevenueShare, share),
      caps: () => (caps === undefined ? undefined : checkCaps(caps)),
      daily_ping_cap: () =>
        checkValue('daily_ping_cap', DailyPingCap.optional(), input.daily_ping_cap),
    }),
  });
}
