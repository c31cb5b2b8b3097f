/**
 * The leads whose suppliers received their answer: read only when a request is repeated, within minutes. Stored apart
 * from the leads, many in one document: a mark on each lead would write the whole lead once more.
 */
import type { Collection } from 'mongodb';
import { timeOrderedId } from '../../lib/ids.js';
import type { AnsweredDoc } from './intakeDocs.js';

export type AnsweredStore = ReturnType<typeof createAnsweredStore>;

export const createAnsweredStore = (answered: Collection<AnsweredDoc>) => ({
  /** Records that these leads were answered; repeating it does no harm. */
  async add(leadIds: readonly string[], at: Date): Promise<void> {
    await answered.insertOne({ _id: timeOrderedId(at), lead_ids: [...leadIds], at });
  },
  /** The leads among these that were answered, for as long as a request may be identified by its body. */
  async among(leadIds: readonly string[]): Promise<Set<string>> {
    if (leadIds.length === 0) return new Set();
    const wanted = [...new Set(leadIds)];
    const found = await answered
      .find<Pick<AnsweredDoc, 'lead_ids'>>(
        { lead_ids: { $in: wanted } },
        {
          projection: {
            _id: 0,
            lead_ids: { $setIntersection: ['$lead_ids', { $literal: wanted }] },
          },
        },
      )
      .toArray();
    return new Set(found.flatMap(({ lead_ids }) => lead_ids));
  },
});
