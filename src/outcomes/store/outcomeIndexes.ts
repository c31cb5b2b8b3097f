/** The indexes of changes of sold leads, and of returns. */
import { index, type IndexRow } from '../../platform/mongo/indexRow.js';

export const OUTCOME_INDEXES: readonly IndexRow[] = [
  index(
    'outcomes',
    { lead_id: 1 },
    'the changes of a lead that are not applied; an applied change leaves the index',
    { partialFilterExpression: { state: 'open' } },
  ),
  index(
    'outcomes',
    { received_at: 1 },
    'reconcile: changes that are stored and not applied; an applied change leaves the index',
    { partialFilterExpression: { state: 'open' } },
  ),
  index(
    'leads',
    { outcome_due: 1 },
    'leads whose time limit for an outcome has passed; others leave the index',
    { partialFilterExpression: { outcome_due: { $exists: true } } },
  ),
  index(
    'leads',
    { 'resale.root': 1, 'resale.nth': 1 },
    'the leads with the same data; of two orders that sell them again at once, one waits for the other; only resold ' +
      'leads are in it',
    { unique: true, partialFilterExpression: { 'resale.root': { $exists: true } } },
  ),
  index(
    'returns',
    { org_id: 1, created_at: -1, _id: -1, state: 1, buyer_id: 1, campaign_id: 1 },
    "an organization's returns, newest first; those of a state, buyer or campaign, without reading the others",
  ),
  index(
    'returns',
    { org_id: 1, buyer_id: 1, lead_day: 1, campaign_id: 1 },
    'reconciliation with a buyer: the revenue that its returns removed',
    { partialFilterExpression: { state: 'accepted' } },
  ),
  index('returns', { org_id: 1, state: 1 }, 'how many returns wait for a decision', {
    partialFilterExpression: { state: 'requested' },
  }),
  index('returns', { auto_accept_at: 1 }, 'reconcile: requests to accept automatically', {
    partialFilterExpression: { auto_accept_at: { $exists: true } },
  }),
  index('returns', { resolved_at: 1 }, 'reconcile: accepted returns that are not applied yet', {
    partialFilterExpression: { owed: true },
  }),
];
