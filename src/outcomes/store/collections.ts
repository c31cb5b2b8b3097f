/** The collections of this room, and of the rooms before it: their documents and typed handles. */
import type { Db } from 'mongodb';
import { reportCollections } from '../../reports/store/collections.js';
import type { ReturnDoc, ReturnCountDoc } from './returnDocs.js';
import type { ChangeDoc } from './outcomeDocs.js';

export const outcomeCollections = (db: Db) => ({
  ...reportCollections(db),
  returns: db.collection<ReturnDoc>('returns'),
  returnCounts: db.collection<ReturnCountDoc>('return_counts'),
  outcomes: db.collection<ChangeDoc>('outcomes'),
});
export type OutcomeCollections = ReturnType<typeof outcomeCollections>;
