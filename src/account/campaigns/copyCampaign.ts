/** A new campaign with the settings of another. */
import { randomUUID } from 'node:crypto';
import { runTransaction } from '../../platform/mongo/transaction.js';
import { withoutKeys } from '../../lib/defined.js';
import { AppError } from '../../lib/errors.js';
import { retryOnConflict } from '../../lib/retry.js';
import type { AccountContext } from '../context.js';
import { linkId } from '../links/storeLink.js';
import { publishCampaign } from '../plans/publish.js';
import { markPublished, unpublishedNow } from '../plans/unpublished.js';
import type { CampaignBuyerDoc, CampaignSupplierDoc, LinkDoc } from '../store/accountDocs.js';
import type { CampaignDoc } from '../store/campaignDoc.js';
import { checkName, refuseTakenName } from '../values.js';
import { findCampaign } from './campaigns.js';
import { loadCampaign } from './loadCampaign.js';

export interface CopyOrder {
  name: string;
  status: 'ACTIVE' | 'PAUSED';
  /** Whether its buyers, and its suppliers, are linked on the same terms. */
  buyers: boolean;
  suppliers: boolean;
  /** Whether the caller may set where a buyer's leads are sent: a link may override that. */
  mayRedirect: boolean;
}

export interface Copied {
  campaign_id: string;
  buyers: number;
  suppliers: number;
  /** Archived buyers, which are linked to no new campaign. */
  left_out: { buyer_id: string; name: string }[];
}

/** What belongs to the one campaign alone: its identity, its versions, its changes. */
const OWN = [
  ...(['_id', 'name', 'status', 'created_at', 'plan_version', 'unpublished'] as const),
  ...(['changed_from', 'changed_by', 'dedupe_since'] as const),
] as const satisfies (keyof CampaignDoc)[];

/**
 * Creates a campaign with the settings, the fields and, where wanted, the links of another, as they are at one moment.
 * All of it is stored, or nothing. Nothing that has happened is copied: no lead, no count, no version; nor what others
 * have set up for the campaign: suppression lists, automations, funnels.
 * @throws {AppError} `not_found`; `validation_failed` for a bad or a taken name; `forbidden` where a link overrides where
 * leads are sent, and the caller may not set that
 */
export async function copyCampaign(
  account: Pick<AccountContext, 'collections' | 'orgId' | 'author' | 'clock'>,
  campaignId: string,
  order: CopyOrder,
): Promise<Copied> {
  const { collections, author } = account;
  await findCampaign(account, campaignId);
  const name = checkName(order.name);
  const unpublished = unpublishedNow(author);
  const copied = await refuseTakenName('campaign', name, () =>
    retryOnConflict(() => storeCopy(account, campaignId, { ...order, name, unpublished })),
  );
  await publishCampaign(account, copied.campaign_id);
  await markPublished(collections.campaigns, copied.campaign_id, unpublished);
  return copied;
}

function storeCopy(
  { collections, clock }: Pick<AccountContext, 'collections' | 'clock'>,
  campaignId: string,
  order: CopyOrder & Pick<CampaignDoc, 'unpublished'>,
): Promise<Copied> {
  const { campaigns, campaignBuyers, campaignSuppliers } = collections;
  return runTransaction(campaigns, async (session) => {
    const { campaign, buyers, suppliers } = await loadCampaign(collections, campaignId, session);
    const { name, status, unpublished } = order;
    const copy: CampaignDoc = {
      ...withoutKeys(campaign, OWN),
      _id: randomUUID(),
      name,
      status,
      plan_version: 0,
      created_at: clock.now(),
      unpublished,
    };
    const wanted = order.buyers ? buyers : [];
    const linked = wanted.filter(({ buyer }) => !buyer.archived_at).map(({ link }) => link);
    if (!order.mayRedirect) refuseOverrides(linked);
    const buyerLinks = linked.map((link) => ({
      ...linkOf<CampaignBuyerDoc>(copy._id, link.buyer_id, withoutKeys(link, ['agreed_by'])),
    }));
    const supplierLinks = (order.suppliers ? suppliers : []).map(({ link }) =>
      linkOf<CampaignSupplierDoc>(copy._id, link.supplier_id, link),
    );
    await campaigns.insertOne(copy, { session });
    if (buyerLinks.length > 0) await campaignBuyers.insertMany(buyerLinks, { session });
    if (supplierLinks.length > 0) await campaignSuppliers.insertMany(supplierLinks, { session });
    return {
      campaign_id: copy._id,
      buyers: buyerLinks.length,
      suppliers: supplierLinks.length,
      left_out: wanted
        .filter(({ buyer }) => buyer.archived_at)
        .map(({ buyer }) => ({ buyer_id: buyer._id, name: buyer.name })),
    };
  });
}

/** The same terms in another campaign. */
function linkOf<T extends LinkDoc>(campaign_id: string, partnerId: string, link: T): T {
  const terms = withoutKeys(link, ['unpublished']) as T;
  return { ...terms, _id: linkId(campaign_id, partnerId), campaign_id };
}

/** A copied override sends leads of another campaign there. */
function refuseOverrides(links: readonly CampaignBuyerDoc[]): void {
  if (!links.some(({ delivery }) => delivery)) return;
  const text =
    'A buyer of this campaign has a delivery of its own there; copying that needs the permission buyers:write in ' +
    'addition to campaigns:write. Copy the campaign without its buyers (buyers: false), and link them afterwards.';
  throw new AppError('forbidden', text, { required: 'buyers:write' });
}
