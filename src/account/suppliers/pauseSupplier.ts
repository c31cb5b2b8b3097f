/** A supplier that pauses itself, wholly or in one campaign. Only the operator resumes what the operator has paused. */
import type { PlanAuthor } from '../rules/plan.js';
import { AppError } from '../../lib/errors.js';
import type { SupplierLinkKey } from '../links/supplierLinks.js';
import { changeLink } from '../links/storeLink.js';
import { bumpVersion } from '../plans/bumpVersion.js';
import { publishForSupplier } from '../plans/publish.js';
import { markPublished, unpublishedNow } from '../plans/unpublished.js';
import {
  isToChange,
  PAUSE_CONFLICT,
  pauseSeen,
  statusByPartner,
  type PartnerStatus,
} from '../rules/partnerPause.js';
import type { AccountCollections } from '../store/collections.js';
import { findSupplier } from './suppliers.js';

/**
 * Repeating it changes nothing.
 * @throws {AppError} `not_found`; `conflict` where the operator has paused it; `version_conflict` where another caller
 * changes it at the same time
 */
export async function setSupplierStatus(
  collections: AccountCollections,
  { org_id, supplier_id }: Pick<SupplierLinkKey, 'org_id' | 'supplier_id'>,
  status: PartnerStatus,
  author?: PlanAuthor,
): Promise<void> {
  const current = await findSupplier(collections, org_id, supplier_id);
  if (!isToChange(current, status)) return;
  const unpublished = unpublishedNow(author);
  const { matchedCount } = await collections.suppliers.updateOne(
    { _id: supplier_id, org_id, removed_at: { $exists: false }, ...pauseSeen(current) },
    { $set: { ...statusByPartner(status), unpublished } },
  );
  if (matchedCount === 0) throw new AppError('version_conflict', PAUSE_CONFLICT);
  await publishForSupplier(collections, supplier_id, author);
  await bumpVersion(collections, org_id);
  await markPublished(collections.suppliers, supplier_id, unpublished);
}

/** The same for its link to one campaign. @throws {AppError} as `setSupplierStatus` */
export async function setSupplierLinkStatus(
  collections: AccountCollections,
  { org_id, campaign_id, supplier_id }: SupplierLinkKey,
  status: PartnerStatus,
  author?: PlanAuthor,
): Promise<void> {
  const _id = `${campaign_id}:${supplier_id}`;
  const current = await collections.campaignSuppliers.findOne({ _id, org_id });
  if (!current) throw new AppError('not_found', `There is no campaign ${campaign_id}.`);
  if (!isToChange(current, status)) return;
  const key = { _id, org_id, campaign_id };
  await changeLink(
    collections,
    collections.campaignSuppliers,
    key,
    {
      terms: statusByPartner(status),
      seen: pauseSeen(current),
      conflict: PAUSE_CONFLICT,
    },
    author,
  );
}
