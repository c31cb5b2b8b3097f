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
import type { LinkDoc, PartnerDoc } from '../store/accountDocs.js';
import { findSupplier } from '../suppliers/suppliers.js';
import { buyerPlace } from './buyerLinks.js';
import { changeLink, findLink, type LinkPlace } from './storeLink.js';
import { supplierPlace } from './supplierLinks.js';

type Account = Pick<AccountContext, 'collections' | 'orgId' | 'author'>;

/**
 * Sets the partner's status, or that of its link to one campaign. Repeating it changes nothing.
 * @throws {AppError} `not_found`; `conflict` where the operator has paused it; `version_conflict` where another caller
 * changes it at the same time
 */
export async function setPartnerStatus(
  account: Account,
  { side, party_id }: { side: 'buyer' | 'supplier'; party_id: string },
  campaign_id: string | undefined,
  status: PartnerStatus,
): Promise<void> {
  const { buyers, suppliers } = account.collections;
  if (side === 'buyer') {
    if (campaign_id !== undefined)
      return setLinkStatus(
        account,
        buyerPlace(account, { campaign_id, buyer_id: party_id }),
        status,
      );
    const buyer = await findBuyer(account, party_id);
    return setStatus(account, buyers, buyer, { status, publish: publishForBuyer });
  }
  if (campaign_id !== undefined)
    return setLinkStatus(
      account,
      supplierPlace(account, { campaign_id, supplier_id: party_id }),
      status,
    );
  const supplier = await findSupplier(account, party_id);
  return setStatus(account, suppliers, supplier, { status, publish: publishForSupplier });
}

async function setStatus<T extends PartnerDoc & Pausable>(
  account: Account,
  partners: Collection<T>,
  current: T,
  { status, publish }: { status: PartnerStatus; publish: typeof publishForBuyer },
): Promise<void> {
  if (!isToChange(current, status)) return;
  const { _id, org_id } = current;
  const unpublished = unpublishedNow(account.author);
  const seen = { _id, org_id, removed_at: { $exists: false }, ...pauseSeen(current) };
  const values = { ...statusByPartner(status), unpublished };
  const { matchedCount } = await partners.updateOne(seen as unknown as Filter<T>, {
    $set: values as unknown as MatchKeysAndValues<T>,
  });
  if (matchedCount === 0) throw new AppError('version_conflict', PAUSE_CONFLICT);
  await publish(account, _id);
  await bumpVersion(account.collections, org_id);
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
