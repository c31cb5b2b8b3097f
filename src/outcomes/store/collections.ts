/** The collections of this room, and of the rooms before it: their documents and typed handles. */
import type { Collection, Db } from 'mongodb';
import { reportCollections, type ReportCollections } from '../../reports/store/collections.js';
import type { ReturnDoc, ReturnCountDoc } from './returnDocs.js';
import type { ChangeDoc } from './outcomeDocs.js';

export interface OutcomeCollections extends ReportCollections {
  returns: Collection<ReturnDoc>;
  returnCounts: Collection<ReturnCountDoc>;
  outcomes: Collection<ChangeDoc>;
}

export const outcomeCollections = (db: Db): OutcomeCollections => ({
  ...reportCollections(db),
  returns: db.collection('returns'),
  returnCounts: db.collection('return_counts'),
  outcomes: db.collection('outcomes'),
});
