/** The indexes of pings. */
import type { IndexRow } from '../../platform/mongo/indexRow.js';

export const PING_INDEXES: readonly IndexRow[] = [
  {
    collection: 'pings',
    key: { forget_at: 1 },
    options: { expireAfterSeconds: 0 },
    serves: 'deleting pings: refused ones after 3 days, others after 30',
  },
  {
    collection: 'ping_counts',
    key: { forget_at: 1 },
    options: { expireAfterSeconds: 0 },
    serves: 'deleting the daily ping counts of a link',
  },
  {
    collection: 'pings',
    key: { expires_at: 1, state: 1 },
    options: { partialFilterExpression: { state: 'open' } },
    serves: 'expiry: open pings past their expiry, the oldest first; others leave the index',
  },
  {
    collection: 'pings',
    key: { expired_at: 1, untold: 1 },
    options: { partialFilterExpression: { untold: { $exists: true } } },
    serves: 'expiry: pings that have expired and whose event is not written yet',
  },
  {
    collection: 'pings',
    key: { org_id: 1, supplier_id: 1, is_test: 1, created_at: -1, _id: -1, campaign_id: 1 },
    serves: "a supplier's own pings, newest first; those of a campaign",
  },
];
