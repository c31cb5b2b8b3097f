/** Storing the link of a buyer or a supplier to a campaign: the same for both. */
import type { Collection, Filter, MatchKeysAndValues, OptionalUnlessRequiredId } from 'mongodb';
import { AppError } from '../../lib/errors.js';
import { isDuplicateKey } from '../../platform/mongo/databaseErrors.js';
import type { AccountContext } from '../context.js';
import { publishCampaign } from '../plans/publish.js';
import { markPublished, unpublishedNow } from '../plans/unpublished.js';
import type { LinkDoc, Unpublished } from '../store/accountDocs.js';
import { invalidValue } from '../values.js';

/** A link, and where it is stored. */
export interface LinkPlace<T extends LinkDoc> {
  links: Collection<T>;
  /** Who is linked to the campaign. */
  kind: 'buyer' | 'supplier';
  campaign_id: string;
  partner_id: string;
}

/** A link as it is stored, with the mark of a change that no plan contains yet. */
export interface StoredLink<T> {
  link: T;
  unpublished: Unpublished;
}

/** The id of a link. @param partnerId of the buyer or the supplier */
export const linkId = (campaignId: string, partnerId: string): string =>
  `${campaignId}:${partnerId}`;

/** Each buyer is considered for every lead, and a plan and a shown campaign contain all buyers and suppliers. */
export const LINKS_PER_CAMPAIGN = 500;

/**
 * Checks that a campaign can have one more link. Links made at the same time may exceed the limit by their number.
 * @throws {AppError} `validation_failed` when the link would be one too many; `action_refused` when it exists
 */
export async function requireRoom<T extends LinkDoc>(place: LinkPlace<T>): Promise<void> {
  const { links, campaign_id, partner_id, kind } = place;
  const _id = linkId(campaign_id, partner_id);
  if (await links.findOne({ _id } as Filter<T>, { projection: { _id: 1 } }))
    throw alreadyLinked(place);
  const ofCampaign = { campaign_id } as Filter<T>;
  const count = await links.countDocuments(ofCampaign, { limit: LINKS_PER_CAMPAIGN });
  if (count < LINKS_PER_CAMPAIGN) return;
  const message = `A campaign can have at most ${LINKS_PER_CAMPAIGN} ${kind}s. Create another campaign for the others.`;
  throw invalidValue(`${kind}_id`, 'not_allowed', message);
}

type Named = Pick<LinkPlace<LinkDoc>, 'kind' | 'campaign_id' | 'partner_id'>;

/** The refusal of a link that exists already. */
const alreadyLinked = ({ kind, partner_id }: Named) =>
  new AppError(
    'action_refused',
    `${nameOf(kind)} ${partner_id} is already linked to this campaign. Change its terms with ` +
      `update_campaign_${kind}.`,
  );

const nameOf = (kind: 'buyer' | 'supplier'): string => (kind === 'buyer' ? 'Buyer' : 'Supplier');

/** @throws {AppError} `not_found` where there is no such link */
export async function findLink<T extends LinkDoc>(
  { orgId }: Pick<AccountContext, 'orgId'>,
  place: LinkPlace<T>,
): Promise<T> {
  const _id = linkId(place.campaign_id, place.partner_id);
  const found = await place.links.findOne({ _id, org_id: orgId } as Filter<T>);
  return foundLink(found as T | null, place);
}

function foundLink<T>(link: T | null, named: Named): T {
  if (link) return link;
  throw notLinked(named);
}

/** The error for a link that does not exist. */
export const notLinked = ({ kind, partner_id, campaign_id }: Named): AppError =>
  new AppError(
    'not_found',
    `${nameOf(kind)} ${partner_id} is not linked to campaign ${campaign_id}.`,
  );

/**
 * Stores a new link.
 * @throws {AppError} `action_refused` for a link that exists, however many are made at once
 */
export async function insertLink<T extends LinkDoc>(
  { orgId, author }: Pick<AccountContext, 'orgId' | 'author'>,
  place: LinkPlace<T>,
  terms: Omit<T, '_id' | 'org_id' | 'campaign_id' | 'unpublished'>,
): Promise<StoredLink<T>> {
  const { campaign_id, partner_id } = place;
  const unpublished = unpublishedNow(author);
  const _id = linkId(campaign_id, partner_id);
  const link = { _id, org_id: orgId, campaign_id, ...terms, unpublished } as unknown as T;
  try {
    await place.links.insertOne(link as OptionalUnlessRequiredId<T>);
  } catch (error) {
    throw isDuplicateKey(error) ? alreadyLinked(place) : error;
  }
  return { link, unpublished };
}

type Publishing = Pick<AccountContext, 'collections' | 'author'>;

/** Publishes the campaign of a stored link. */
export async function publishLink<T extends LinkDoc>(
  account: Publishing,
  links: Collection<T>,
  { link, unpublished }: StoredLink<T>,
): Promise<T> {
  await publishCampaign(account, link.campaign_id);
  await markPublished(links, link._id, unpublished);
  return link;
}

interface LinkChange<T> {
  terms: Partial<T>;
  /** Parts of the link that the change was made from; absent where they do not matter. */
  seen?: Partial<T>;
  /** Why it is refused when they have changed since. */
  conflict: string;
}

/**
 * Sets terms of a link and publishes its campaign.
 * @throws {AppError} `version_conflict` when parts of it have changed since, or the link is gone; `not_found` when there
 *   is no such link
 */
export async function changeLink<T extends LinkDoc>(
  account: Publishing & Pick<AccountContext, 'orgId'>,
  place: LinkPlace<T>,
  { terms, seen, conflict }: LinkChange<T>,
): Promise<T> {
  const unpublished = unpublishedNow(account.author);
  const _id = linkId(place.campaign_id, place.partner_id);
  const asSeen = { _id, org_id: account.orgId, ...seen } as Filter<T>;
  const values = { ...terms, unpublished } as unknown as MatchKeysAndValues<T>;
  const changed = await place.links.findOneAndUpdate(
    asSeen,
    { $set: values },
    { returnDocument: 'after' },
  );
  if (!changed && seen) throw new AppError('version_conflict', conflict);
  const link = foundLink(changed as T | null, place);
  return publishLink(account, place.links, { link, unpublished });
}
