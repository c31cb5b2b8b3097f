/** Finds changes of the account whose process stopped before they were in the plans, and finishes them. */
import type { Collection, Filter, UpdateFilter } from 'mongodb';
import { AppError } from '../../lib/errors.js';
import { systemClock } from '../../lib/clock.js';
import type { AccountCollections } from '../store/collections.js';
import type { PlanAuthor } from '../rules/plan.js';
import type { Publishable, SupplierDoc } from '../store/accountDocs.js';
import { publishCampaign, publishForBuyer, publishForSupplier } from './publish.js';
import { finishDeletion } from '../suppliers/suppliers.js';
import { finishListChange } from '../suppression/suppressions.js';
import { markPublished, bumpVersion } from './unpublished.js';

type Record = Publishable & { _id: string; org_id: string };

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
  const { suppressionLists } = collections;
  const of = <T extends Record>(
    what: string,
    records: Collection<T>,
    publish: (record: T, author: PlanAuthor) => Promise<unknown>,
  ) => findLeft(collections, { what, records, publish, before, limit });
  const found = await Promise.all([
    of('campaign', campaigns, ({ _id }, author) => publishCampaign({ collections, author }, _id)),
    of('campaign_buyer', campaignBuyers, (link, author) =>
      publishCampaign({ collections, author }, link.campaign_id),
    ),
    of('campaign_supplier', campaignSuppliers, (link, author) =>
      publishCampaign({ collections, author }, link.campaign_id),
    ),
    of('buyer', buyers, ({ _id }, author) => publishForBuyer({ collections, author }, _id)),
    of('supplier', suppliers, (supplier, author) => publishSupplier(collections, supplier, author)),
    of('suppression_list', suppressionLists, (list, author) =>
      finishListChange(accountOf(collections, list, author), list),
    ),
  ]);
  return found.flat();
}

const accountOf = (collections: AccountCollections, { org_id }: Record, author: PlanAuthor) => ({
  collections,
  orgId: org_id,
  clock: systemClock,
  author,
});

const publishSupplier = (
  collections: AccountCollections,
  supplier: SupplierDoc,
  author: PlanAuthor,
): Promise<void> =>
  supplier.removed_at
    ? finishDeletion(accountOf(collections, supplier, author), supplier._id)
    : publishForSupplier({ collections, author }, supplier._id);

interface Search<T extends Record> {
  what: string;
  records: Collection<T>;
  /** False: more is left, for another run. */
  publish: (record: T, author: PlanAuthor) => Promise<unknown>;
  before: Date;
  limit: number;
}

async function findLeft<T extends Record>(
  collections: AccountCollections,
  { what, records, publish, before, limit }: Search<T>,
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
