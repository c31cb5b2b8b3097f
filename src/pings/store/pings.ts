/** Pings: the decision about each, kept until `forget_at`. */
import type { Collection } from 'mongodb';
import { findByIds } from '../../platform/mongo/findByIds.js';
import { insertNew } from '../../platform/mongo/insertNew.js';
import type { PingDoc } from './pingDocs.js';
import { PINGS_OF_CAMPAIGN, PINGS_OF_STATE, PINGS_OF_SUPPLIER } from './pingPages.js';
import { index, type IndexRow } from '../../platform/mongo/indexRow.js';

export type PingStore = ReturnType<typeof createPingStore>;

export function createPingStore(pings: Collection<PingDoc>) {
  return {
    /** Inserts all in one call; those that exist already stay as they are, so that it may be repeated. */
    insert: (docs: readonly PingDoc[]): Promise<void> => insertNew(pings, docs),
    /** The stored pings of these ids. */
    get: (ids: readonly string[]): Promise<Map<string, PingDoc>> => findByIds(pings, ids),
  };
}

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
  index('pings', PINGS_OF_SUPPLIER, "a supplier's own pings, newest first; those of a campaign"),
  index('pings', PINGS_OF_STATE, "an organization's pings, newest first; those of a state"),
  index('pings', PINGS_OF_CAMPAIGN, 'the same of a campaign'),
];
