/** A buyer that pauses itself, as a whole or in one campaign. */
import type { PlanAuthor } from '../rules/plan.js';
import { AppError } from '../../lib/errors.js';
import type { BuyerLinkKey } from '../links/buyerLinks.js';
import { changeLink } from '../links/storeLink.js';
import { bumpVersion } from '../plans/bumpVersion.js';
import { publishForBuyer } from '../plans/publish.js';
import { markPublished, unpublishedNow } from '../plans/unpublished.js';
import {
  isToChange,
  PAUSE_CONFLICT,
  pauseSeen,
  statusByPartner,
  type PartnerStatus,
} from '../rules/partnerPause.js';
import type { AccountCollections } from '../store/collections.js';
import { findBuyer } from './buyers.js';

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
  const current = await findBuyer(collections, org_id, buyer_id);
  if (!isToChange(current, status)) return;
  const unpublished = unpublishedNow(author);
  const { matchedCount } = await collections.buyers.updateOne(
    { _id: buyer_id, org_id, ...pauseSeen(current) },
    { $set: { ...statusByPartner(status), unpublished } },
  );
  if (matchedCount === 0) throw new AppError('version_conflict', PAUSE_CONFLICT);
  await publishForBuyer(collections, buyer_id, author);
  await bumpVersion(collections, org_id);
  await markPublished(collections.buyers, buyer_id, unpublished);
}

/** The same for its link to one campaign. @throws {AppError} as `setBuyerStatus` */
export async function setBuyerLinkStatus(
  collections: AccountCollections,
  { org_id, campaign_id, buyer_id }: BuyerLinkKey,
  status: PartnerStatus,
  author?: PlanAuthor,
): Promise<void> {
  const _id = `${campaign_id}:${buyer_id}`;
  const current = await collections.campaignBuyers.findOne({ _id, org_id });
  if (!current) throw new AppError('not_found', `There is no campaign ${campaign_id}.`);
  if (!isToChange(current, status)) return;
  await changeLink(
    collections,
    collections.campaignBuyers,
    { _id, org_id, campaign_id },
    { terms: statusByPartner(status), seen: pauseSeen(current), conflict: PAUSE_CONFLICT },
    author,
  );
}
