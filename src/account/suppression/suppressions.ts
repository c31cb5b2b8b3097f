/** Suppression lists of an account: creating, listing and removing them (contract 4.9). */
import type { PlanAuthor } from '../rules/plan.js';
import { randomUUID } from 'node:crypto';
import { AppError } from '../../lib/errors.js';
import type { AccountCollections } from '../store/collections.js';
import type { SuppressionListDoc } from '../store/suppressionDocs.js';
import { findPage, OLDEST_FIRST, type Found, type Wanted } from '../../platform/mongo/pages.js';
import { clearEntries } from '../store/suppressions.js';
import { findBuyer } from '../buyers/buyers.js';
import { findCampaign } from '../campaigns/campaigns.js';
import { publishCampaign, publishForBuyer, publishForOrg } from '../plans/publish.js';
import { unpublishedNow, markPublished } from '../plans/unpublished.js';
import { checkName, invalidValue } from '../values.js';

/** Whose leads a list applies to. */
export type SuppressionTarget =
  | { scope: 'organisation' }
  | { scope: 'campaign'; campaign_id: string }
  | { scope: 'buyer'; buyer_id: string };

export interface SuppressionListInput {
  org_id: string;
  target: SuppressionTarget;
  /** If the target has a list of this name already, entries are added to it. */
  name: string;
  /** The id of a key, or the name of a tool. */
  uploaded_by: string;
}

/** Each list is looked up for every lead of the target. */
const LISTS_PER_TARGET = 20;

/**
 * The list of that name, created and put into the plans of the target's campaigns if it is new: from then on its
 * entries apply as they are stored.
 * @throws {AppError} `not_found` for the target; `validation_failed` for a bad name, too many lists, or a list
 * of that name that is being removed
 */
export async function openSuppressionList(
  collections: AccountCollections,
  input: SuppressionListInput,
  author?: PlanAuthor,
): Promise<SuppressionListDoc> {
  const name = checkName(input.name);
  const { org_id, uploaded_by } = input;
  const target_id = await findTarget(collections, org_id, input.target);
  const place = { org_id, target_id };
  const known = await collections.suppressionLists
    .find(place, { projection: { name: 1 } })
    .toArray();
  if (known.length >= LISTS_PER_TARGET && !known.some((list) => list.name === name)) {
    const message = `At most ${LISTS_PER_TARGET} lists are allowed here. Add to one of them, or delete one.`;
    throw invalidValue('name', 'not_allowed', message);
  }
  const now = new Date();
  const { scope } = input.target;
  const list = await collections.suppressionLists.findOneAndUpdate(
    { ...place, name },
    {
      $set: { uploaded_at: now, uploaded_by },
      $setOnInsert: {
        _id: randomUUID(),
        scope,
        entries: 0,
        created_at: now,
        unpublished: unpublishedNow(author),
      },
    },
    { upsert: true, returnDocument: 'after' },
  );
  if (!list || list.removed_at) {
    const message = `The list "${name}" is being deleted. Wait until it is deleted, or use another name.`;
    throw invalidValue('name', 'not_allowed', message);
  }
  // The process that created it may have stopped before it was in the plans.
  if (!list.published_at) {
    await publishList(collections, list, author);
    if (list.unpublished)
      await markPublished(collections.suppressionLists, list._id, list.unpublished);
  }
  return list;
}

/** A page of the lists of an organization, of every target, oldest first. */
export const listSuppressions = (
  collections: AccountCollections,
  orgId: string,
  wanted: Wanted,
): Promise<Found<SuppressionListDoc>> =>
  findPage(collections.suppressionLists, { org_id: orgId }, OLDEST_FIRST, wanted);

/**
 * Takes a list out of the plans, then deletes its entries: from now on it refuses no lead. An interrupted call can be
 * repeated, and `reconcile` finishes it. False when the organization has no such list, or no longer has it.
 */
export async function removeSuppressions(
  collections: AccountCollections,
  orgId: string,
  listId: string,
  author?: PlanAuthor,
): Promise<boolean> {
  const lists = collections.suppressionLists;
  const mark = unpublishedNow(author);
  const list = await lists.findOneAndUpdate(
    { _id: listId, org_id: orgId },
    { $min: { removed_at: new Date() }, $set: { unpublished: mark } },
    { returnDocument: 'after' },
  );
  if (!list) return false;
  await publishList(collections, list, author);
  while (!(await finishRemoval(collections, listId))) {
    // Deleting a long list takes longer than the age at which `reconcile` treats a change as abandoned.
    const at = { 'unpublished.at': new Date() };
    await lists.updateOne({ _id: listId, 'unpublished.id': mark.id }, { $set: at });
  }
  return true;
}

/** Parts of a thousand entries deleted at once, well within the seconds that a step of `reconcile` has. */
const PARTS = 20;

/** Deletes the rest of a list that is in no plan any longer, as far as one call gets. True when nothing is left. */
async function finishRemoval(collections: AccountCollections, listId: string): Promise<boolean> {
  if (!(await clearEntries(collections.suppressions, listId, PARTS))) return false;
  await collections.suppressionLists.deleteOne({ _id: listId });
  return true;
}

/** Publishes an abandoned change of a list, or continues its deletion. False when more is left to delete. */
export async function finishListChange(
  collections: AccountCollections,
  list: SuppressionListDoc,
  author?: PlanAuthor,
): Promise<boolean> {
  await publishList(collections, list, author).catch((error: unknown) => {
    // The list's target is gone: there are no plans to take it out of.
    const isGone = error instanceof AppError && error.code === 'not_found';
    if (!isGone || !list.removed_at) throw error;
  });
  return list.removed_at ? finishRemoval(collections, list._id) : true;
}

/** @throws {AppError} `not_found` when the organization has no such list, or is deleting it */
export async function findSuppressionList(
  { suppressionLists }: AccountCollections,
  orgId: string,
  listId: string,
): Promise<SuppressionListDoc> {
  const list = await suppressionLists.findOne({ _id: listId, org_id: orgId });
  if (!list || list.removed_at) throw listNotFound(listId);
  return list;
}

export const listNotFound = (listId: string): AppError =>
  new AppError('not_found', `There is no suppression list ${listId}.`);

/** @throws {AppError} `not_found` when the organization does not own it */
async function findTarget(
  collections: AccountCollections,
  orgId: string,
  target: SuppressionTarget,
): Promise<string> {
  switch (target.scope) {
    case 'organisation':
      return orgId;
    case 'campaign':
      return (await findCampaign({ collections, orgId }, target.campaign_id))._id;
    case 'buyer':
      return (await findBuyer(collections, orgId, target.buyer_id))._id;
  }
}

/** Publishes the campaigns that the list applies to: with it, or without it once it is being removed. */
async function publishList(
  collections: AccountCollections,
  list: SuppressionListDoc,
  author: PlanAuthor | undefined,
): Promise<void> {
  await publishFor(list, collections, author);
  if (list.removed_at) return;
  await collections.suppressionLists.updateOne(
    { _id: list._id },
    { $set: { published_at: new Date() } },
  );
}

async function publishFor(
  list: SuppressionListDoc,
  collections: AccountCollections,
  author: PlanAuthor | undefined,
): Promise<void> {
  switch (list.scope) {
    case 'organisation':
      return publishForOrg({ collections, author, orgId: list.target_id });
    case 'campaign':
      await publishCampaign({ collections, author }, list.target_id);
      return;
    case 'buyer':
      return publishForBuyer({ collections, author }, list.target_id);
  }
}
