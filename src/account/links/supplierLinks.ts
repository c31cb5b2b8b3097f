/** The suppliers of a campaign. */
import { retryOnConflict } from '../../lib/retry.js';
import { findCampaign } from '../campaigns/campaigns.js';
import type { AccountContext } from '../context.js';
import { gathered } from '../settings/cappedTable.js';
import type { InputOf } from '../settings/settingsTable.js';
import { SUPPLIER_LINK } from '../settings/supplierLinkTerms.js';
import type { CampaignSupplierDoc } from '../store/accountDocs.js';
import { findSupplier } from '../suppliers/suppliers.js';
import {
  changeLink,
  findLink,
  insertLink,
  publishLink,
  requireRoom,
  type LinkPlace,
  type StoredLink,
} from './storeLink.js';

/** Terms as a person writes them; each has a default. */
export type SupplierLinkInput = InputOf<typeof SUPPLIER_LINK>;

/** A supplier and a campaign of one organization. */
export interface SupplierLinkKey {
  campaign_id: string;
  supplier_id: string;
}

type Account = Pick<AccountContext, 'collections' | 'orgId' | 'author'>;

/**
 * Links a supplier to a campaign and publishes it.
 * @throws {AppError} `not_found` for either side, `validation_failed` for a bad value or one supplier too many,
 * `action_refused` for a supplier that is linked already
 */
export async function linkSupplier(
  account: Account,
  key: SupplierLinkKey,
  input: SupplierLinkInput,
): Promise<CampaignSupplierDoc> {
  const stored = await storeSupplierLink(account, key, input);
  return publishLink(account, account.collections.campaignSuppliers, stored);
}

/** The same without publishing, for a caller that stores several records and then publishes once. */
export async function storeSupplierLink(
  account: Account,
  key: SupplierLinkKey,
  input: SupplierLinkInput,
): Promise<StoredLink<CampaignSupplierDoc>> {
  const { campaign_id, supplier_id } = key;
  const terms = SUPPLIER_LINK.read(gathered(input, {}));
  await findCampaign(account, campaign_id);
  await findSupplier(account, supplier_id);
  const place = supplierPlace(account, key);
  await requireRoom(place);
  return insertLink(account, place, { supplier_id, ...SUPPLIER_LINK.defaults, ...terms });
}

/**
 * Sets what is given, leaves the rest, and publishes. Of changes at once none is lost, not even within its limits.
 * @throws {AppError} `not_found` when there is no such link, `validation_failed` for a bad value
 */
export const updateSupplierLink = (
  account: Account,
  key: SupplierLinkKey,
  changes: SupplierLinkInput,
): Promise<CampaignSupplierDoc> =>
  retryOnConflict(async () => {
    const place = supplierPlace(account, key);
    const current = await findLink(account, place);
    const terms = SUPPLIER_LINK.read(gathered(changes, current.caps));
    return changeLink(account, place, {
      // The operator sets this status: from then on only the operator resumes the link.
      terms: { ...terms, ...(terms.status && { paused_by: null }) },
      seen: terms.caps && { caps: current.caps },
      conflict: 'Its limits were changed at the same time.',
    });
  });

/** Where the link is stored. */
export const supplierPlace = (
  { collections }: Pick<AccountContext, 'collections'>,
  { campaign_id, supplier_id }: SupplierLinkKey,
): LinkPlace<CampaignSupplierDoc> => ({
  links: collections.campaignSuppliers,
  kind: 'supplier',
  campaign_id,
  partner_id: supplier_id,
});
