/** The indexes of changes of sold leads. */
import type { IndexRow } from '../../platform/mongo/indexRow.js';

export const OUTCOME_INDEXES: readonly IndexRow[] = [
  {
    collection: 'outcomes',
    key: { lead_id: 1 },
    options: { partialFilterExpression: { state: 'open' } },
    serves: 'the changes of a lead that are not applied; an applied change leaves the index',
  },
  {
    collection: 'outcomes',
    key: { received_at: 1 },
    options: { partialFilterExpression: { state: 'open' } },
    serves:
      'reconcile: changes that are stored and not applied; an applied change leaves the index',
  },
  {
    collection: 'leads',
    key: { outcome_due: 1 },
    options: { partialFilterExpression: { outcome_due: { $exists: true } } },
    serves: 'leads whose time limit for an outcome has passed; others leave the index',
  },
  {
    collection: 'leads',
    key: { 'resale.root': 1, 'resale.nth': 1 },
    options: { unique: true, partialFilterExpression: { 'resale.root': { $exists: true } } },
    serves:
      'the leads with the same data; of two orders that sell them again at once, one waits for the other; only resold ' +
      'leads are in it',
  },
];
