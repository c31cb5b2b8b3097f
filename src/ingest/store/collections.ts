/** The collections of this room, and of the rooms before it: their documents and typed handles. */
import type { Db } from 'mongodb';
import { automationCollections } from '../../automations/store/collections.js';
import type { IdempotencyDoc } from '../../leads/store/intakeDocs.js';

export const ingestCollections = (db: Db) => ({
  ...automationCollections(db),
  idempotency: db.collection<IdempotencyDoc>('idempotency'),
});
export type IngestCollections = ReturnType<typeof ingestCollections>;
