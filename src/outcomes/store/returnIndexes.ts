/** The indexes of returns. */
import { index, type IndexRow } from '../../platform/mongo/indexRow.js';

export const RETURN_INDEXES: readonly IndexRow[] = [
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
  index('returns', { auto_accept_at: 1 }, 'reconcile: requests to accept automatically', {
    partialFilterExpression: { auto_accept_at: { $exists: true } },
  }),
  index('returns', { resolved_at: 1 }, 'reconcile: accepted returns that are not applied yet', {
    partialFilterExpression: { owed: true },
  }),
];
