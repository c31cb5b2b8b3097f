/** Taking a buyer or a supplier out of a campaign. */
import type { Filter } from 'mongodb';
import { retryTransaction } from '../../platform/mongo/transaction.js';
import type { AccountContext } from '../context.js';
import { publishCampaign } from '../plans/publish.js';
import { markPublished, unpublishedNow } from '../plans/unpublished.js';
import type { LinkDoc } from '../store/accountDocs.js';
import { linkId, notLinked, type LinkPlace } from './storeLink.js';

const BUSY = 'The campaign is changed too often at this moment; nothing was changed. Call again.';

/**
 * Removes a link and publishes its campaign. The link goes in one transaction with the mark on the campaign, so that
 * `reconcile` publishes the removal where this process dies before it has.
 * @returns the version of the campaign that has no such link
 * @throws {AppError} `not_found` where there is no such link, however many callers remove it at once
 */
export async function removeLink<T extends LinkDoc>(
  account: Pick<AccountContext, 'collections' | 'orgId' | 'author'>,
  place: LinkPlace<T>,
): Promise<number> {
  const { collections, orgId, author } = account;
  const { campaign_id, partner_id } = place;
  const { campaigns } = collections;
  const unpublished = unpublishedNow(author);
  const link = { _id: linkId(campaign_id, partner_id), org_id: orgId } as Filter<T>;
  await retryTransaction(
    campaigns,
    async (session) => {
      const { deletedCount } = await place.links.deleteOne(link, { session });
      if (deletedCount === 0) throw notLinked(place);
      const marked = { _id: campaign_id, org_id: orgId };
      await campaigns.updateOne(marked, { $set: { unpublished } }, { session });
    },
    BUSY,
  );
  const { version } = await publishCampaign(account, campaign_id);
  await markPublished(campaigns, campaign_id, unpublished);
  return version;
}
