/** The indexes of returns. */
import type { IndexRow } from '../../platform/mongo/indexRow.js';

export const RETURN_INDEXES: readonly IndexRow[] = [
  {
    collection: 'returns',
    key: { org_id: 1, created_at: -1, _id: -1, state: 1, buyer_id: 1, campaign_id: 1 },
    serves:
      "an organization's returns, newest first; those of a state, buyer or campaign, without reading the others",
  },
  {
    collection: 'returns',
    key: { org_id: 1, buyer_id: 1, lead_day: 1, campaign_id: 1 },
    options: { partialFilterExpression: { state: 'accepted' } },
    serves: 'reconciliation with a buyer: the revenue that its returns removed',
  },
  {
    collection: 'returns',
    key: { auto_accept_at: 1 },
    options: { partialFilterExpression: { auto_accept_at: { $exists: true } } },
    serves: 'reconcile: requests to accept automatically',
  },
  {
    collection: 'returns',
    key: { resolved_at: 1 },
    options: { partialFilterExpression: { owed: true } },
    serves: 'reconcile: accepted returns that are not applied yet',
  },
];
