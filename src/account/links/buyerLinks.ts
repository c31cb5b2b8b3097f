/** The buyers of a campaign. */
import type { FieldRule } from '../../fields/fieldRule.js';
import { AppError } from '../../lib/errors.js';
import { retryOnConflict } from '../../lib/retry.js';
import { findBuyer } from '../buyers/buyers.js';
import { readFieldNames, type DeliveryInput } from '../buyers/delivery.js';
import { claimNamedSheet, keepRecipients } from '../buyers/delivery/storedSettings.js';
import { sealSettings } from '../buyers/sealedHeaders.js';
import { findCampaign } from '../campaigns/campaigns.js';
import { checkFilterInput } from '../campaigns/targeting.js';
import type { AccountContext } from '../context.js';
import { requirePlanFits } from '../plans/planSize.js';
import { BUYER_LINK, type BuyerLinkTerms } from '../settings/buyerLinkTerms.js';
import { gathered, type Gathered } from '../settings/cappedTable.js';
import type { InputOf } from '../settings/settingsTable.js';
import type { AccountCollections } from '../store/collections.js';
import type { BuyerDoc, CampaignBuyerDoc } from '../store/accountDocs.js';
import { checkOverrides } from './deliveryOverrides.js';
import {
  changeLink,
  findLink,
  insertLink,
  linkId,
  publishLink,
  requireRoom,
  type LinkPlace,
  type StoredLink,
} from './storeLink.js';

/** Terms as a person writes them; each has a default. */
export interface BuyerLinkInput extends InputOf<typeof BUYER_LINK> {
  /** Delivery settings that override the buyer's in this campaign; null: none. */
  delivery?: DeliveryInput | null;
}

/** Terms that a buyer may request, as the link stores them. */
export type AgreedTerms = Partial<BuyerLinkTerms> & Pick<CampaignBuyerDoc, 'agreed_by'>;

/** A buyer and a campaign of one organization. */
export interface BuyerLinkKey {
  campaign_id: string;
  buyer_id: string;
}

/**
 * Links a buyer to a campaign and publishes it.
 * @throws {AppError} `not_found` for either side, `validation_failed` for a bad value or one buyer too many,
 * `action_refused` for a buyer that is linked already, or archived
 */
export async function linkBuyer(
  account: AccountContext,
  key: BuyerLinkKey,
  input: BuyerLinkInput,
): Promise<CampaignBuyerDoc> {
  const stored = await storeBuyerLink(account, key, input);
  return publishLink(account, account.collections.campaignBuyers, stored);
}

/** The same without publishing, for a caller that stores several records and then publishes once. */
export async function storeBuyerLink(
  account: AccountContext,
  key: BuyerLinkKey,
  input: BuyerLinkInput,
): Promise<StoredLink<CampaignBuyerDoc>> {
  const { campaign_id, buyer_id } = key;
  const { collections, orgId } = account;
  const campaign = await findCampaign(account, campaign_id);
  const buyer = await findBuyer(account, buyer_id);
  refuseArchived(buyer);
  await requireRoom(buyerPlace(account, key));
  const terms = {
    buyer_id,
    ...BUYER_LINK.defaults,
    ...checkBuyerTerms(gathered(input, {}), campaign.fields),
    ...(await deliveryTerms(account, key, input.delivery)),
  };
  const link = { _id: linkId(campaign_id, buyer_id), org_id: orgId, campaign_id, ...terms };
  await requirePlanFits(collections, campaign_id, fieldThatGrows(terms), (plan) => ({
    ...plan,
    buyers: [...plan.buyers, { link, buyer }],
  }));
  if (terms.delivery) await claimNamedSheet(account, terms.delivery, 'delivery');
  return insertLink(account, buyerPlace(account, key), terms);
}

function refuseArchived({ _id, name, archived_at }: BuyerDoc): void {
  if (!archived_at) return;
  const text = `Buyer ${name} (${_id}) is archived. Bring it back first: update_buyer with a status.`;
  throw new AppError('action_refused', text);
}

/**
 * Sets what is given, leaves the rest, and publishes. Of changes at once none is lost, not even within its limits.
 * @throws {AppError} `not_found` for the campaign or the link, `validation_failed` for a bad value
 */
export const updateBuyerLink = (
  account: AccountContext,
  key: BuyerLinkKey,
  changes: BuyerLinkInput,
): Promise<CampaignBuyerDoc> =>
  retryOnConflict(async () => {
    const { collections } = account;
    const campaign = await findCampaign(account, key.campaign_id);
    const current = await findLink(account, buyerPlace(account, key));
    const terms = {
      ...checkBuyerTerms(gathered(changes, current.caps), campaign.fields),
      ...byOperator(changes),
      ...(await deliveryTerms(account, key, changes.delivery, current.delivery)),
    };
    await requireTermsFit(collections, key, terms);
    if (terms.delivery) await claimNamedSheet(account, terms.delivery, 'delivery');
    return changeLink<CampaignBuyerDoc>(account, buyerPlace(account, key), {
      terms,
      seen: {
        ...(terms.caps && { caps: current.caps }),
        ...(terms.delivery !== undefined && { delivery: current.delivery ?? null }),
      },
      conflict: 'Its limits or its delivery were changed at the same time.',
    });
  });

/** Pausing a link, or removing its zip codes altogether, is never checked. */
async function requireTermsFit(
  collections: AccountCollections,
  { campaign_id, buyer_id }: BuyerLinkKey,
  terms: Partial<CampaignBuyerDoc>,
): Promise<void> {
  if (!terms.zips && !terms.filters && !terms.schedule && !terms.delivery) return;
  await requirePlanFits(collections, campaign_id, fieldThatGrows(terms), (account) => ({
    ...account,
    buyers: account.buyers.map((one) =>
      one.buyer._id === buyer_id ? { ...one, link: { ...one.link, ...terms } } : one,
    ),
  }));
}

/**
 * Sets terms that were checked when the buyer requested them, and publishes.
 * @param seen the terms at that time: all of them must still be the same
 * @throws {AppError} `version_conflict` when one of them has changed since, or the link is gone; `validation_failed`
 * when the campaign's fields, or its size, no longer allow them
 */
export async function agreeOnTerms(
  account: AccountContext,
  key: BuyerLinkKey,
  terms: AgreedTerms,
  seen: AgreedTerms,
): Promise<void> {
  const campaign = await findCampaign(account, key.campaign_id);
  if (terms.filters) checkFilterInput(terms.filters, campaign.fields);
  await requireTermsFit(account.collections, key, terms);
  await changeLink<CampaignBuyerDoc>(account, buyerPlace(account, key), {
    terms: { ...terms, ...byOperator(terms) },
    seen,
    conflict: 'These terms were changed at the same time.',
  });
}

/** A status that the operator sets: from then on only the operator resumes the link. */
const byOperator = ({ status }: { status?: string }): Pick<CampaignBuyerDoc, 'paused_by'> =>
  status === undefined ? {} : { paused_by: null };

/** The field that most likely makes a plan too big. */
const fieldThatGrows = (terms: Partial<CampaignBuyerDoc>): string =>
  (['zips', 'filters', 'schedule', 'delivery'] as const).find((key) => terms[key]) ?? 'buyer_id';

/** The delivery settings that the link overrides; empty where none are given. */
async function deliveryTerms(
  account: AccountContext,
  { buyer_id }: BuyerLinkKey,
  given: DeliveryInput | null | undefined,
  current?: CampaignBuyerDoc['delivery'],
): Promise<Pick<CampaignBuyerDoc, 'delivery'>> {
  if (given === undefined) return {};
  const { policy, keyring } = account;
  const buyer = await findBuyer(account, buyer_id);
  await keepRecipients(account, buyer.delivery);
  const fieldNames = given === null ? [] : await readFieldNames(account);
  const delivery = checkOverrides(given, { policy, fieldNames }, buyer.delivery, current);
  return { delivery: delivery && sealSettings(delivery, buyer_id, keyring) };
}

/** Where the link is stored. */
export const buyerPlace = (
  { collections }: Pick<AccountContext, 'collections'>,
  { campaign_id, buyer_id }: BuyerLinkKey,
): LinkPlace<CampaignBuyerDoc> => ({
  links: collections.campaignBuyers,
  kind: 'buyer',
  campaign_id,
  partner_id: buyer_id,
});

/**
 * The terms as the link stores them.
 * @param fields of the campaign
 * @throws {AppError} `validation_failed` naming every bad value
 */
export const checkBuyerTerms = (
  input: Gathered<BuyerLinkInput>,
  fields: readonly FieldRule[],
): Partial<BuyerLinkTerms> =>
  BUYER_LINK.read(input, { filters: (given) => checkFilterInput(given, fields) });
