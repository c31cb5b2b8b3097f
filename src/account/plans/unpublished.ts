/**
 * Changes of the account that may not be in the plans yet. Each record is marked in the very update that changes it,
 * and the mark is removed once the plans and the organization's version are written: a process that dies in between
 * leaves the mark, and `reconcile` publishes each marked record.
 */
import { randomUUID } from 'node:crypto';
import type { Collection, Filter, UpdateFilter, ClientSession } from 'mongodb';
import type { PlanAuthor } from '../rules/plan.js';
import type { Publishable, Unpublished } from '../store/accountDocs.js';
import type { AccountCollections } from '../store/collections.js';

/** A record that plans are compiled from. */
type Marked = Publishable & { _id: string };

/** The mark of one change. @param author who made it; absent: the service itself */
export const unpublishedNow = (author?: PlanAuthor): Unpublished => ({
  id: randomUUID(),
  at: new Date(),
  by: author,
});

/** Removes the mark, unless a later change has replaced it. */
export async function markPublished<T extends Marked>(
  records: Collection<T>,
  id: string,
  mark: Unpublished,
): Promise<void> {
  const marked = { _id: id, 'unpublished.id': mark.id } as unknown as Filter<T>;
  await records.updateOne(marked, { $unset: { unpublished: '' } } as unknown as UpdateFilter<T>);
}

/** Notifies every process that the organization's account has changed (contract 1.2). Always the last write. */
export async function bumpVersion(
  collections: AccountCollections,
  orgId: string,
  session?: ClientSession,
): Promise<void> {
  const increment = { $inc: { version: 1 } };
  await collections.versions.updateOne({ _id: orgId }, increment, { upsert: true, session });
}
