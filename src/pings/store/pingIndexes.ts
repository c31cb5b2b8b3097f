/** The indexes of pings. */
import { index, type IndexRow } from '../../platform/mongo/indexRow.js';

export const PING_INDEXES: readonly IndexRow[] = [
  index('pings', { forget_at: 1 }, 'deleting pings: refused ones after 3 days, others after 30', {
    expireAfterSeconds: 0,
  }),
  index('ping_counts', { forget_at: 1 }, 'deleting the daily ping counts of a link', {
    expireAfterSeconds: 0,
  }),
  index(
    'pings',
    { expires_at: 1, state: 1 },
    'expiry: open pings past their expiry, the oldest first; others leave the index',
    { partialFilterExpression: { state: 'open' } },
  ),
  index(
    'pings',
    { expired_at: 1, untold: 1 },
    'expiry: pings that have expired and whose event is not written yet',
    { partialFilterExpression: { untold: { $exists: true } } },
  ),
  index(
    'pings',
    { org_id: 1, supplier_id: 1, is_test: 1, created_at: -1, _id: -1, campaign_id: 1 },
    "a supplier's own pings, newest first; those of a campaign",
  ),
];
