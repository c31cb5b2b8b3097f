/**
 * Changes of the account that may not be in the plans yet. Each record is marked in the very update that changes it,
 * and the mark goes once the plans and the organization's version are written: a process that dies in between leaves the
 * mark, and `reconcile` publishes what it finds marked.
 */
import { randomUUID } from 'node:crypto';
import type { Collection, Filter, UpdateFilter } from 'mongodb';
import type { PlanAuthor } from '../rules/plan.js';
import type { Publishable, Unpublished } from '../store/accountDocs.js';

/** A record that plans are compiled from. */
type Marked = Publishable & { _id: string };

/** The mark of one change. @param author in whose name; absent: the service's own */
export const unpublishedNow = (author?: PlanAuthor): Unpublished => ({
  id: randomUUID(),
  at: new Date(),
  ...(author ? { by: author } : {}),
});

/** Takes the mark away, unless a later change has put its own in its place. */
export async function markPublished<T extends Marked>(
  records: Collection<T>,
  id: string,
  mark: Unpublished,
): Promise<void> {
  const marked = { _id: id, 'unpublished.id': mark.id } as unknown as Filter<T>;
  await records.updateOne(marked, { $unset: { unpublished: '' } } as unknown as UpdateFilter<T>);
}
