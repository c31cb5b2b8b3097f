/**
 * A buyer or a supplier pauses and resumes itself, as a whole or in one campaign. Only the operator resumes what the
 * operator has paused.
 */
import type { Collection, Filter, MatchKeysAndValues } from 'mongodb';
import { AppError } from '../../lib/errors.js';
import { findBuyer } from '../buyers/buyers.js';
import type { AccountContext } from '../context.js';
import { publishForBuyer, publishForSupplier } from '../plans/publish.js';
import { markPublished, unpublishedNow, bumpVersion } from '../plans/unpublished.js';
import {
  isToChange,
  PAUSE_CONFLICT,
  pauseSeen,
  statusByPartner,
  type Pausable,
  type PartnerStatus,
} from '../rules/partnerPause.js';
import type { Publishable } from '../store/accountDocs.js';
import { findSupplier } from '../suppliers/suppliers.js';
import { buyerPlace } from './buyerLinks.js';
import { changeLink, findLink, type LinkDoc, type LinkPlace } from './storeLink.js';
import { supplierPlace } from './supplierLinks.js';

type Account = Pick<AccountContext, 'collections' | 'orgId' | 'author'>;

/**
 * Sets the buyer's status, or that of its link to one campaign. Repeating it changes nothing.
 * @throws {AppError} `not_found`; `conflict` where the operator has paused it; `version_conflict` where another caller
 * changes it at the same time
 */
export async function setBuyerStatus(
  account: Account,
  { buyer_id, campaign_id }: { buyer_id: string; campaign_id?: string },
  status: PartnerStatus,
): Promise<void> {
  const { collections } = account;
  if (campaign_id !== undefined)
    return setLinkStatus(account, buyerPlace(account, { campaign_id, buyer_id }), status);
  const buyer = await findBuyer(account, buyer_id);
  const publish = () => publishForBuyer(account, buyer_id);
  await setStatus(account, collections.buyers, buyer, { status, publish });
}

/** The same for a supplier. @throws {AppError} as `setBuyerStatus` */
export async function setSupplierStatus(
  account: Account,
  { supplier_id, campaign_id }: { supplier_id: string; campaign_id?: string },
  status: PartnerStatus,
): Promise<void> {
  const { collections } = account;
  if (campaign_id !== undefined)
    return setLinkStatus(account, supplierPlace(account, { campaign_id, supplier_id }), status);
  const supplier = await findSupplier(account, supplier_id);
  const publish = () => publishForSupplier(account, supplier_id);
  await setStatus(account, collections.suppliers, supplier, { status, publish });
}

type PartnerDoc = Publishable & Pausable & { _id: string; org_id: string };

async function setStatus<T extends PartnerDoc>(
  { collections, author }: Account,
  partners: Collection<T>,
  current: T,
  { status, publish }: { status: PartnerStatus; publish: () => Promise<void> },
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
  await publish();
  await bumpVersion(collections, org_id);
  await markPublished(partners, _id, unpublished);
}

async function setLinkStatus<T extends LinkDoc & Pausable>(
  account: Account,
  place: LinkPlace<T>,
  status: PartnerStatus,
): Promise<void> {
  const current = await findLink(account, place);
  if (!isToChange(current, status)) return;
  const terms = statusByPartner(status) as Partial<T>;
  const seen = pauseSeen(current) as Partial<T>;
  await changeLink(account, place, { terms, seen, conflict: PAUSE_CONFLICT });
}
