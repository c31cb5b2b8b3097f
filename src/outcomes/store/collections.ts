/** The collections of this room: their documents and typed handles. */
import type { Db } from 'mongodb';
import type { ReturnDoc, ReturnCountDoc } from './returnDocs.js';
import type { ChangeDoc } from './outcomeDocs.js';

export const outcomeCollections = (db: Db) => ({
  returns: db.collection<ReturnDoc>('returns'),
  returnCounts: db.collection<ReturnCountDoc>('return_counts'),
  outcomes: db.collection<ChangeDoc>('outcomes'),
});
export type OutcomeCollections = ReturnType<typeof outcomeCollections>;
