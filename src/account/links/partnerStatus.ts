/**
 * A buyer or a supplier pauses and resumes itself, as a whole or in one campaign. Only the operator resumes what the
 * operator has paused.
 */
import type { Collection, Filter, MatchKeysAndValues } from 'mongodb';
import { AppError } from '../../lib/errors.js';
import { findBuyer } from '../buyers/buyers.js';
import { bumpVersion } from '../plans/bumpVersion.js';
import { publishForBuyer, publishForSupplier } from '../plans/publish.js';
import { markPublished, unpublishedNow } from '../plans/unpublished.js';
import {
  isToChange,
  PAUSE_CONFLICT,
  pauseSeen,
  statusByPartner,
  type Pausable,
  type PartnerStatus,
} from '../rules/partnerPause.js';
import type { PlanAuthor } from '../rules/plan.js';
import type { Publishable } from '../store/accountDocs.js';
import type { AccountCollections } from '../store/collections.js';
import { findSupplier } from '../suppliers/suppliers.js';
import type { BuyerLinkKey } from './buyerLinks.js';
import { changeLink, linkId, type LinkDoc, type LinkKey } from './storeLink.js';
import type { SupplierLinkKey } from './supplierLinks.js';

/**
 * Repeating it changes nothing.
 * @throws {AppError} `not_found`; `conflict` where the operator has paused it; `version_conflict` where another caller
 * changes it at the same time
 */
export async function setBuyerStatus(
  collections: AccountCollections,
  { org_id, buyer_id }: Pick<BuyerLinkKey, 'org_id' | 'buyer_id'>,
  status: PartnerStatus,
  author?: PlanAuthor,
): Promise<void> {
  const buyer = await findBuyer({ collections, orgId: org_id }, buyer_id);
  const change = { status, author, publish: publishForBuyer };
  await setStatus(collections, collections.buyers, buyer, change);
}

/** The same for a supplier. @throws {AppError} as `setBuyerStatus` */
export async function setSupplierStatus(
  collections: AccountCollections,
  { org_id, supplier_id }: Pick<SupplierLinkKey, 'org_id' | 'supplier_id'>,
  status: PartnerStatus,
  author?: PlanAuthor,
): Promise<void> {
  const supplier = await findSupplier({ collections, orgId: org_id }, supplier_id);
  const change = { status, author, publish: publishForSupplier };
  await setStatus(collections, collections.suppliers, supplier, change);
}

/** The same for a buyer's link to one campaign. @throws {AppError} as `setBuyerStatus` */
export const setBuyerLinkStatus = (
  collections: AccountCollections,
  { org_id, campaign_id, buyer_id }: BuyerLinkKey,
  status: PartnerStatus,
  author?: PlanAuthor,
): Promise<void> => {
  const key = { org_id, campaign_id, kind: 'buyer', partner_id: buyer_id } as const;
  return setLinkStatus(collections, collections.campaignBuyers, key, { status, author });
};

/** The same for a supplier's link to one campaign. @throws {AppError} as `setBuyerStatus` */
export const setSupplierLinkStatus = (
  collections: AccountCollections,
  { org_id, campaign_id, supplier_id }: SupplierLinkKey,
  status: PartnerStatus,
  author?: PlanAuthor,
): Promise<void> => {
  const key = { org_id, campaign_id, kind: 'supplier', partner_id: supplier_id } as const;
  return setLinkStatus(collections, collections.campaignSuppliers, key, { status, author });
};

interface Change {
  status: PartnerStatus;
  author: PlanAuthor | undefined;
}

type PartnerDoc = Publishable & Pausable & { _id: string; org_id: string };

async function setStatus<T extends PartnerDoc>(
  collections: AccountCollections,
  partners: Collection<T>,
  current: T,
  { status, author, publish }: Change & { publish: typeof publishForBuyer },
): Promise<void> {
  if (!isToChange(current, status)) return;
  const { _id, org_id } = current;
  const unpublished = unpublishedNow(author);
  const seen = { _id, org_id, removed_at: { $exists: false }, ...pauseSeen(current) };
  const values = { ...statusByPartner(status), unpublished };
  const { matchedCount } = await partners.updateOne(seen as unknown as Filter<T>, {
    $set: values as unknown as MatchKeysAndValues<T>,
  });
  if (matchedCount === 0) throw new AppError('version_conflict', PAUSE_CONFLICT);
  await publish(collections, _id, author);
  await bumpVersion(collections, org_id);
  await markPublished(partners, _id, unpublished);
}

async function setLinkStatus<T extends LinkDoc & Pausable>(
  collections: AccountCollections,
  links: Collection<T>,
  key: LinkKey,
  { status, author }: Change,
): Promise<void> {
  const ofKey = { _id: linkId(key.campaign_id, key.partner_id), org_id: key.org_id } as Filter<T>;
  const current = await links.findOne(ofKey);
  if (!current) throw new AppError('not_found', `There is no campaign ${key.campaign_id}.`);
  if (!isToChange(current, status)) return;
  const terms = statusByPartner(status) as Partial<T>;
  const seen = pauseSeen(current) as Partial<T>;
  await changeLink(collections, links, key, { terms, seen, conflict: PAUSE_CONFLICT }, author);
}
