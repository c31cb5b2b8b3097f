/** Finds changes of the account whose process stopped before they were in the plans, and finishes them. */
import type { Collection, Filter, UpdateFilter } from 'mongodb';
import { AppError } from '../../lib/errors.js';
import { systemClock } from '../../lib/clock.js';
import type { AccountCollections } from '../store/collections.js';
import type { PlanAuthor } from '../rules/plan.js';
import type { LinkDoc, Publishable } from '../store/accountDocs.js';
import { publishCampaign, publishForBuyer, publishForSupplier } from './publish.js';
import { finishDeletion } from '../suppliers/suppliers.js';
import { finishListChange } from '../suppression/suppressions.js';
import { markPublished, bumpVersion } from './unpublished.js';

/** One change that was left unpublished, and how it is finished. */
export interface UnpublishedChange {
  /** Such as "buyer 8a4e…". */
  what: string;
  /** Publishes it in its author's name, and removes the mark. Safe to repeat. */
  publish(): Promise<void>;
  /** Moves it after the others for the next run. */
  putOff(now: Date): Promise<void>;
}

/**
 * The changes from before a given time that may not be in the plans, oldest first within each kind.
 * @param limit maximum of each kind
 */
export async function findUnpublishedChanges(
  collections: AccountCollections,
  before: Date,
  limit: number,
): Promise<UnpublishedChange[]> {
  const { buyers, suppliers, campaigns, campaignBuyers, campaignSuppliers } = collections;
  const search = { collections, before, limit };
  const publishLinked = (link: LinkDoc, author: PlanAuthor) =>
    publishCampaign({ collections, author }, link.campaign_id);
  const found = await Promise.all([
    findLeft(search, 'campaign', campaigns, ({ _id }, author) =>
      publishCampaign({ collections, author }, _id),
    ),
    findLeft(search, 'campaign_buyer', campaignBuyers, publishLinked),
    findLeft(search, 'campaign_supplier', campaignSuppliers, publishLinked),
    findLeft(search, 'buyer', buyers, ({ _id }, author) =>
      publishForBuyer({ collections, author }, _id),
    ),
    findLeft(search, 'supplier', suppliers, ({ _id, org_id, removed_at }, author) =>
      removed_at
        ? finishDeletion(accountOf(collections, org_id, author), _id)
        : publishForSupplier({ collections, author }, _id),
    ),
    findLeft(search, 'suppression_list', collections.suppressionLists, (list, author) =>
      finishListChange(accountOf(collections, list.org_id, author), list),
    ),
  ]);
  return found.flat();
}

const accountOf = (collections: AccountCollections, orgId: string, author: PlanAuthor) => ({
  collections,
  orgId,
  clock: systemClock,
  author,
});

interface Search {
  collections: AccountCollections;
  before: Date;
  limit: number;
}

/** @param publish returns false where more is left, for another run */
async function findLeft<T extends Publishable & { _id: string; org_id: string }>(
  { collections, before, limit }: Search,
  what: string,
  records: Collection<T>,
  publish: (record: T, author: PlanAuthor) => Promise<unknown>,
): Promise<UnpublishedChange[]> {
  const old = { 'unpublished.at': { $lt: before } } as unknown as Filter<T>;
  const found = await records.find(old).sort({ 'unpublished.at': 1 }).limit(limit).toArray();
  return found.flatMap((record): UnpublishedChange[] => {
    const { _id: id, org_id: orgId, unpublished: mark } = record as T;
    if (!mark) return [];
    const putOff = async (now: Date): Promise<void> => {
      const marked = { _id: id, 'unpublished.id': mark.id } as unknown as Filter<T>;
      const later = { $set: { 'unpublished.at': now } } as unknown as UpdateFilter<T>;
      await records.updateOne(marked, later);
    };
    return [
      {
        what: `${what} ${id}`,
        async publish() {
          const done = await publish(record as T, mark.by ?? {}).catch(unlessGone);
          await bumpVersion(collections, orgId);
          // The next run continues with it, after the others.
          if (done === false) await putOff(new Date());
          else await markPublished(records, id, mark);
        },
        putOff,
      },
    ];
  });
}

/** A campaign that is gone has nothing to publish. */
function unlessGone(error: unknown): void {
  if (!(error instanceof AppError && error.code === 'not_found')) throw error;
}
