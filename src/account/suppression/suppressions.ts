/** Suppression lists of an account: creating, listing and removing them (contract 4.9). */
import { randomUUID } from 'node:crypto';
import { AppError } from '../../lib/errors.js';
import type { AccountContext } from '../context.js';
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
  target: SuppressionTarget;
  /** If the target has a list of this name already, entries are added to it. */
  name: string;
  /** The id of a key, or the name of a tool. */
  uploaded_by: string;
}

export type ListAccount = Omit<AccountContext, 'keyring' | 'policy'>;
type Account = ListAccount;

/** Each list is looked up for every lead of the target. */
const LISTS_PER_TARGET = 20;

/**
 * The list of that name, created and put into the plans of the target's campaigns if it is new: from then on its
 * entries apply as they are stored.
 * @throws {AppError} `not_found` for the target; `validation_failed` for a bad name, too many lists, or a list
 * of that name that is being removed
 */
export async function openSuppressionList(
  account: Account,
  { name: given, target, uploaded_by }: SuppressionListInput,
): Promise<SuppressionListDoc> {
  const { collections, clock, author } = account;
  const { name, ...place } = await findListPlace(account, { name: given, target });
  const now = clock.now();
  const list = await collections.suppressionLists.findOneAndUpdate(
    { ...place, name },
    {
      $set: { uploaded_at: now, uploaded_by },
      $setOnInsert: {
        _id: randomUUID(),
        scope: target.scope,
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
    await publishList(account, list);
    if (list.unpublished)
      await markPublished(collections.suppressionLists, list._id, list.unpublished);
  }
  return list;
}

/** What identifies a list. */
export interface ListPlace {
  org_id: string;
  target_id: string;
  name: string;
}

/**
 * Where a list of this name is, or would be.
 * @throws {AppError} `not_found` for the target; `validation_failed` for a bad name, or too many lists
 */
export async function findListPlace(
  account: Account,
  { name: given, target }: Pick<SuppressionListInput, 'name' | 'target'>,
): Promise<ListPlace> {
  const name = checkName(given);
  const place = { org_id: account.orgId, target_id: await findTarget(account, target) };
  const known = await account.collections.suppressionLists
    .find(place, { projection: { name: 1 } })
    .toArray();
  if (known.length < LISTS_PER_TARGET || known.some((list) => list.name === name))
    return { ...place, name };
  const message = `At most ${LISTS_PER_TARGET} lists are allowed here. Add to one of them, or delete one.`;
  throw invalidValue('name', 'not_allowed', message);
}

/** A page of the lists of an organization, of every target, oldest first. */
export const listSuppressions = (
  { collections, orgId }: Pick<AccountContext, 'collections' | 'orgId'>,
  wanted: Wanted,
): Promise<Found<SuppressionListDoc>> =>
  findPage(collections.suppressionLists, { org_id: orgId }, OLDEST_FIRST, wanted);

/**
 * Takes a list out of the plans, then deletes its entries: from now on it refuses no lead. An interrupted call can be
 * repeated, and `reconcile` finishes it. False when the organization has no such list, or no longer has it.
 */
export async function removeSuppressions(account: Account, listId: string): Promise<boolean> {
  const { collections, orgId, clock, author } = account;
  const lists = collections.suppressionLists;
  const mark = unpublishedNow(author);
  const list = await lists.findOneAndUpdate(
    { _id: listId, org_id: orgId },
    { $min: { removed_at: clock.now() }, $set: { unpublished: mark } },
    { returnDocument: 'after' },
  );
  if (!list) return false;
  await publishList(account, list);
  while (!(await finishRemoval(account, listId))) {
    // Deleting a long list takes longer than the age at which `reconcile` treats a change as abandoned.
    const at = { 'unpublished.at': clock.now() };
    await lists.updateOne({ _id: listId, 'unpublished.id': mark.id }, { $set: at });
  }
  return true;
}

/** Parts of a thousand entries deleted at once: fewer than fit in the seconds that a step of `reconcile` has. */
const PARTS = 20;

/** Deletes the rest of a list that is in no plan any longer, as far as one call gets. True when nothing is left. */
async function finishRemoval({ collections }: Account, listId: string): Promise<boolean> {
  if (!(await clearEntries(collections.suppressions, listId, PARTS))) return false;
  await collections.suppressionLists.deleteOne({ _id: listId });
  return true;
}

/** Publishes an abandoned change of a list, or continues its deletion. False when more is left to delete. */
export async function finishListChange(
  account: Account,
  list: SuppressionListDoc,
): Promise<boolean> {
  await publishList(account, list).catch((error: unknown) => {
    // The list's target is gone: there are no plans to take it out of.
    const isGone = error instanceof AppError && error.code === 'not_found';
    if (!isGone || !list.removed_at) throw error;
  });
  return list.removed_at ? finishRemoval(account, list._id) : true;
}

/** @throws {AppError} `not_found` when the organization has no such list, or is deleting it */
export async function findSuppressionList(
  { collections, orgId }: Pick<AccountContext, 'collections' | 'orgId'>,
  listId: string,
): Promise<SuppressionListDoc> {
  const list = await collections.suppressionLists.findOne({ _id: listId, org_id: orgId });
  if (!list || list.removed_at) throw listNotFound(listId);
  return list;
}

export const listNotFound = (listId: string): AppError =>
  new AppError('not_found', `There is no suppression list ${listId}.`);

/** @throws {AppError} `not_found` when the organization does not own it */
async function findTarget(account: Account, target: SuppressionTarget): Promise<string> {
  switch (target.scope) {
    case 'organisation':
      return account.orgId;
    case 'campaign':
      return (await findCampaign(account, target.campaign_id))._id;
    case 'buyer':
      return (await findBuyer(account, target.buyer_id))._id;
  }
}

/** Publishes the campaigns that the list applies to: with it, or without it once it is being removed. */
export async function publishList(account: Account, list: SuppressionListDoc): Promise<void> {
  await publishFor(account, list);
  if (list.removed_at) return;
  await account.collections.suppressionLists.updateOne(
    { _id: list._id },
    { $set: { published_at: account.clock.now() } },
  );
}

function publishFor(account: Account, { scope, target_id }: SuppressionListDoc): Promise<unknown> {
  if (scope === 'campaign') return publishCampaign(account, target_id);
  return scope === 'buyer'
    ? publishForBuyer(account, target_id)
    : publishForOrg({ ...account, orgId: target_id });
}
