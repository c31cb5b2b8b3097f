/** Storing the link of a buyer or a supplier to a campaign: the same for both. */
import type { PlanAuthor } from '../rules/plan.js';
import type { Collection, Filter, MatchKeysAndValues, UpdateFilter } from 'mongodb';
import { AppError } from '../../lib/errors.js';
import { withoutKeysOf } from '../../lib/defined.js';
import { publishCampaign } from '../plans/publish.js';
import { markPublished, unpublishedNow } from '../plans/unpublished.js';
import type { Publishable } from '../store/accountDocs.js';
import type { AccountCollections } from '../store/collections.js';
import { invalidValue } from '../values.js';

type LinkDoc = Publishable & { _id: string; org_id: string; campaign_id: string };

/** A link of one organization. */
export interface LinkKey {
  org_id: string;
  campaign_id: string;
  /** `<campaign>:<buyer or supplier>` */
  _id: string;
}

/** Each buyer is considered for every lead, and a plan and a shown campaign contain all buyers and suppliers. */
export const LINKS_PER_CAMPAIGN = 500;

/**
 * Checks that a campaign can have one more link. Links made at the same time may exceed the limit by their number.
 * @throws {AppError} `validation_failed` when the link would be one too many
 */
export async function requireRoom<T extends LinkDoc>(
  links: Collection<T>,
  { _id, campaign_id }: LinkKey,
  kind: 'buyer' | 'supplier',
): Promise<void> {
  const ofCampaign = { campaign_id } as Filter<T>;
  const count = await links.countDocuments(ofCampaign, { limit: LINKS_PER_CAMPAIGN });
  if (count < LINKS_PER_CAMPAIGN) return;
  if (await links.findOne({ _id } as Filter<T>, { projection: { _id: 1 } })) return;
  const message = `A campaign can have at most ${LINKS_PER_CAMPAIGN} ${kind}s. Create another campaign for the others.`;
  throw invalidValue(`${kind}_id`, 'not_allowed', message);
}

/**
 * Stores a link and publishes its campaign: an existing one gets the terms, a new one the defaults for those that are
 * not given.
 */
export async function upsertLink<T extends LinkDoc>(
  collections: AccountCollections,
  links: Collection<T>,
  { _id, campaign_id }: LinkKey,
  { terms, defaults }: { terms: Partial<T>; defaults: Omit<T, '_id'> },
  author: PlanAuthor | undefined,
): Promise<T | null> {
  const unpublished = unpublishedNow(author);
  const update = { $set: { ...terms, unpublished }, $setOnInsert: withoutKeysOf(defaults, terms) };
  const link = await links.findOneAndUpdate({ _id } as Filter<T>, update as UpdateFilter<T>, {
    upsert: true,
    returnDocument: 'after',
  });
  await publishCampaign(collections, campaign_id, author);
  await markPublished(links, _id, unpublished);
  return link as T | null;
}

/**
 * Sets terms of a link and publishes its campaign.
 * @param seen parts of the link that the change was made from; null where they do not matter
 * @returns null where there is no such link
 * @throws {AppError} `version_conflict` when those parts have changed since, or the link is gone
 */
export async function changeLink<T extends LinkDoc>(
  collections: AccountCollections,
  links: Collection<T>,
  { _id, org_id, campaign_id }: LinkKey,
  { terms, seen, conflict }: { terms: Partial<T>; seen: Partial<T> | null; conflict: string },
  author: PlanAuthor | undefined,
): Promise<T | null> {
  const unpublished = unpublishedNow(author);
  const asSeen = { _id, org_id, ...seen } as Filter<T>;
  const values = { ...terms, unpublished } as unknown as MatchKeysAndValues<T>;
  const changed = await links.findOneAndUpdate(
    asSeen,
    { $set: values },
    { returnDocument: 'after' },
  );
  if (!changed) {
    if (seen) throw new AppError('version_conflict', conflict);
    return null;
  }
  await publishCampaign(collections, campaign_id, author);
  await markPublished(links, _id, unpublished);
  return changed as T;
}
