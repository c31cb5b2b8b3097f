/** The indexes of documents that identify requests: claims, keys, answers, and how often each supplier posts. */
import { RESEND_WINDOW_MS } from '../rules/resend.js';
import { index, type IndexRow } from '../../platform/mongo/indexRow.js';

const DAY_SECONDS = 86_400;

export const REQUEST_INDEXES: readonly IndexRow[] = [
  index('answered', { lead_ids: 1 }, 'whether a lead that a request repeats was answered'),
  index(
    'answered',
    { at: 1 },
    'deleting answers when requests are no longer recognized by their body',
    { expireAfterSeconds: RESEND_WINDOW_MS / 1_000 },
  ),
  index('claims', { expires_at: 1 }, 'deleting claims a day after their window', {
    expireAfterSeconds: 0,
  }),
  index('idempotency', { expires_at: 1 }, 'deleting idempotency keys after 24 hours', {
    expireAfterSeconds: 0,
  }),
  index('imported_rows', { forget_at: 1 }, 'deleting the rows of imports after 90 days', {
    expireAfterSeconds: 0,
  }),
  index('rates', { at: 1 }, 'deleting the rate limits of idle keys', {
    expireAfterSeconds: DAY_SECONDS,
  }),
];
