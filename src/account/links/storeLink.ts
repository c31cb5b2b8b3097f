/** Storing the link of a buyer or a supplier to a campaign: the same for both. */
import type { PlanAuthor } from '../rules/plan.js';
import type { Collection, Filter, MatchKeysAndValues, UpdateFilter } from 'mongodb';
import { AppError } from '../../lib/errors.js';
import { withoutKeysOf } from '../../lib/defined.js';
import { publishCampaign } from '../plans/publish.js';
import { markPublished, unpublishedNow } from '../plans/unpublished.js';
import type { Publishable, Unpublished } from '../store/accountDocs.js';
import { isDuplicateKey } from '../../platform/mongo/databaseErrors.js';
import type { AccountCollections } from '../store/collections.js';
import { invalidValue } from '../values.js';

/** The fields that links of buyers and suppliers share. */
export type LinkDoc = Publishable & { _id: string; org_id: string; campaign_id: string };

/** A link of one organization. */
export interface LinkKey {
  org_id: string;
  campaign_id: string;
  /** Who is linked to the campaign. */
  kind: 'buyer' | 'supplier';
  partner_id: string;
}

/** The id of a link. @param partnerId of the buyer or the supplier */
export const linkId = (campaignId: string, partnerId: string): string =>
  `${campaignId}:${partnerId}`;

const idOf = ({ campaign_id, partner_id }: LinkKey): string => linkId(campaign_id, partner_id);

/** @throws {AppError} `not_found` where there is no such link */
export function foundLink<T>(link: T | null, { kind, partner_id, campaign_id }: LinkKey): T {
  if (link) return link;
  const partner = kind === 'buyer' ? 'Buyer' : 'Supplier';
  throw new AppError(
    'not_found',
    `${partner} ${partner_id} is not linked to campaign ${campaign_id}.`,
  );
}

/** Each buyer is considered for every lead, and a plan and a shown campaign contain all buyers and suppliers. */
export const LINKS_PER_CAMPAIGN = 500;

/**
 * Checks that a campaign can have one more link. Links made at the same time may exceed the limit by their number.
 * @throws {AppError} `validation_failed` when the link would be one too many
 */
export async function requireRoom<T extends LinkDoc>(
  links: Collection<T>,
  key: LinkKey,
): Promise<void> {
  const { campaign_id, kind } = key;
  const ofCampaign = { campaign_id } as Filter<T>;
  const count = await links.countDocuments(ofCampaign, { limit: LINKS_PER_CAMPAIGN });
  if (count < LINKS_PER_CAMPAIGN) return;
  if (await links.findOne({ _id: idOf(key) } as Filter<T>, { projection: { _id: 1 } })) return;
  const message = `A campaign can have at most ${LINKS_PER_CAMPAIGN} ${kind}s. Create another campaign for the others.`;
  throw invalidValue(`${kind}_id`, 'not_allowed', message);
}

/** The refusal of a link that exists already. */
export const alreadyLinked = ({ kind, partner_id }: Pick<LinkKey, 'kind' | 'partner_id'>) =>
  new AppError(
    'action_refused',
    `${kind === 'buyer' ? 'Buyer' : 'Supplier'} ${partner_id} is already linked to this campaign. Change its terms with ` +
      `update_campaign_${kind}.`,
  );

interface NewTerms<T> {
  terms: Partial<T>;
  defaults: Omit<T, '_id'>;
  /** An existing link is refused: its terms are not those that these were made from. */
  isNew: boolean;
}

/** A link as it is stored, with the mark of a change that no plan contains yet. */
export interface StoredLink<T> {
  link: T;
  unpublished: Unpublished;
}

/**
 * Stores a link: an existing one gets the terms, a new one the defaults for those that are not given.
 * @throws {AppError} `action_refused` for an existing link where only a new one is allowed
 */
export async function upsertLink<T extends LinkDoc>(
  links: Collection<T>,
  key: LinkKey,
  { terms, defaults, isNew }: NewTerms<T>,
  author: PlanAuthor | undefined,
): Promise<StoredLink<T>> {
  const _id = idOf(key);
  const unpublished = unpublishedNow(author);
  const update = { $set: { ...terms, unpublished }, $setOnInsert: withoutKeysOf(defaults, terms) };
  const place = (isNew ? { _id, org_id: { $exists: false } } : { _id }) as Filter<T>;
  const link = await links
    .findOneAndUpdate(place, update as UpdateFilter<T>, { upsert: true, returnDocument: 'after' })
    .catch((error: unknown) => {
      throw isNew && isDuplicateKey(error) ? alreadyLinked(key) : error;
    });
  return { link: foundLink(link as T | null, key), unpublished };
}

/** Publishes the campaign of a stored link. */
export async function publishLink<T extends LinkDoc>(
  collections: AccountCollections,
  links: Collection<T>,
  { link, unpublished }: StoredLink<T>,
  author: PlanAuthor | undefined,
): Promise<T> {
  await publishCampaign(collections, link.campaign_id, author);
  await markPublished(links, link._id, unpublished);
  return link;
}

/**
 * Sets terms of a link and publishes its campaign.
 * @param seen parts of the link that the change was made from; null where they do not matter
 * @throws {AppError} `version_conflict` when those parts have changed since, or the link is gone; `not_found` when there
 *   is no such link
 */
export async function changeLink<T extends LinkDoc>(
  collections: AccountCollections,
  links: Collection<T>,
  key: LinkKey,
  { terms, seen, conflict }: { terms: Partial<T>; seen: Partial<T> | null; conflict: string },
  author: PlanAuthor | undefined,
): Promise<T> {
  const _id = idOf(key);
  const unpublished = unpublishedNow(author);
  const asSeen = { _id, org_id: key.org_id, ...seen } as Filter<T>;
  const values = { ...terms, unpublished } as unknown as MatchKeysAndValues<T>;
  const changed = await links.findOneAndUpdate(
    asSeen,
    { $set: values },
    { returnDocument: 'after' },
  );
  if (!changed && seen) throw new AppError('version_conflict', conflict);
  const link = foundLink(changed as T | null, key);
  return publishLink(collections, links, { link, unpublished }, author);
}
