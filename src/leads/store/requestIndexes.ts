/** The indexes of documents that identify requests: claims, keys, answers, and how often each supplier posts. */
import { RESEND_WINDOW_MS } from '../rules/resend.js';
import type { IndexRow } from '../../platform/mongo/indexRow.js';

const DAY_SECONDS = 86_400;

export const REQUEST_INDEXES: readonly IndexRow[] = [
  {
    collection: 'answered',
    key: { lead_ids: 1 },
    serves: 'whether a lead that a request repeats was answered',
  },
  {
    collection: 'answered',
    key: { at: 1 },
    options: { expireAfterSeconds: RESEND_WINDOW_MS / 1_000 },
    serves: 'deleting answers when requests are no longer recognized by their body',
  },
  {
    collection: 'claims',
    key: { expires_at: 1 },
    options: { expireAfterSeconds: 0 },
    serves: 'deleting claims a day after their window',
  },
  {
    collection: 'idempotency',
    key: { expires_at: 1 },
    options: { expireAfterSeconds: 0 },
    serves: 'deleting idempotency keys after 24 hours',
  },
  {
    collection: 'rates',
    key: { at: 1 },
    options: { expireAfterSeconds: DAY_SECONDS },
    serves: 'deleting the rate limits of idle keys',
  },
];
