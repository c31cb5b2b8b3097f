/** The indexes of pings. */
import type { IndexRow } from '../../platform/mongo/indexRow.js';

export const PING_INDEXES: readonly IndexRow[] = [
  {
    collection: 'pings',
    key: { forget_at: 1 },
    options: { expireAfterSeconds: 0 },
    serves: 'forgetting pings: refused ones after 3 days, others after 30',
  },
  {
    collection: 'ping_counts',
    key: { forget_at: 1 },
    options: { expireAfterSeconds: 0 },
    serves: 'forgetting how many pings a link had in a day',
  },
  {
    collection: 'pings',
    key: { expires_at: 1, state: 1 },
    options: { partialFilterExpression: { state: 'open' } },
    serves: 'expiry: open pings whose time is over, the oldest first; others leave the index',
  },
  {
    collection: 'pings',
    key: { expired_at: 1, untold: 1 },
    options: { partialFilterExpression: { untold: { $exists: true } } },
    serves: 'expiry: pings that have expired and whose event is not written yet',
  },
];
