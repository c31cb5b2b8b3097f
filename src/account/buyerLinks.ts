import type { CampaignBuyerDoc, Collections } from '../store/collections.js';
import { AppError } from '../errors.js';
import { findBuyer } from './buyers.js';
import { findCampaign } from './campaigns.js';
import { definedOnly, pickDefined, withoutKeysOf } from './defined.js';
import { publishCampaign } from './publish.js';
import { checkCaps, checkInteger, checkMoney, checkStates, checkWeight } from './values.js';
import type { CapInput } from './values.js';

/** The terms on which a buyer takes a campaign's leads; every one has a default. */
export interface BuyerLinkInput extends Partial<
  Pick<CampaignBuyerDoc, 'status' | 'filters' | 'when_unavailable'>
> {
  /** In currency, at most 4 decimals. */
  price?: number;
  /** Lower goes first; null goes last. */
  priority?: number | null;
  /** Share of a WEIGHTED campaign, relative to the others', at most 4 decimals; 0 gets nothing. */
  weight?: number;
  /** Two-letter codes; empty is every state. */
  states?: readonly string[];
  caps?: CapInput;
}

/** A buyer and a campaign of one organisation. */
export interface BuyerLinkKey {
  org_id: string;
  campaign_id: string;
  buyer_id: string;
}

/**
 * Links a buyer to a campaign and publishes it. An existing link gets the given terms.
 * @throws {AppError} `not_found` for either side, `validation_failed` for a bad value
 */
export async function linkBuyer(
  collections: Collections,
  key: BuyerLinkKey,
  input: BuyerLinkInput,
): Promise<CampaignBuyerDoc> {
  const terms = checkTerms(input);
  await findCampaign(collections, key.org_id, key.campaign_id);
  await findBuyer(collections, key.org_id, key.buyer_id);
  const defaults: Omit<CampaignBuyerDoc, '_id'> = {
    ...key,
    status: 'active',
    price: 0,
    priority: null,
    weight: 1,
    states: [],
    filters: null,
    caps: {},
    when_unavailable: 'NEXT',
  };
  const link = await collections.campaignBuyers.findOneAndUpdate(
    { _id: `${key.campaign_id}:${key.buyer_id}` },
    { $set: terms, $setOnInsert: withoutKeysOf(defaults, terms) },
    { upsert: true, returnDocument: 'after' },
  );
  await publishCampaign(collections, key.campaign_id);
  return foundLink(link, key);
}

/**
 * Sets what is given, leaves the rest, and publishes.
 * @throws {AppError} `not_found` when there is no such link, `validation_failed` for a bad value
 */
export async function updateBuyerLink(
  collections: Collections,
  key: BuyerLinkKey,
  changes: BuyerLinkInput,
): Promise<CampaignBuyerDoc> {
  const link = foundLink(
    await collections.campaignBuyers.findOneAndUpdate(
      { _id: `${key.campaign_id}:${key.buyer_id}`, org_id: key.org_id },
      { $set: checkTerms(changes) },
      { returnDocument: 'after' },
    ),
    key,
  );
  await publishCampaign(collections, key.campaign_id);
  return link;
}

function foundLink(link: CampaignBuyerDoc | null, key: BuyerLinkKey): CampaignBuyerDoc {
  if (link) return link;
  throw new AppError(
    'not_found',
    `Buyer ${key.buyer_id} is not linked to campaign ${key.campaign_id}.`,
  );
}

function checkTerms(input: BuyerLinkInput) {
  const { price, priority, weight, states, caps } = input;
  return definedOnly({
    ...pickDefined(input, ['status', 'filters', 'when_unavailable']),
    price: price === undefined ? undefined : checkMoney('price', price),
    priority: priority == null ? priority : checkInteger('priority', priority, 0, 1_000_000),
    weight: weight === undefined ? undefined : checkWeight(weight),
    states: states === undefined ? undefined : checkStates(states),
    caps: caps === undefined ? undefined : checkCaps(caps),
  });
}
