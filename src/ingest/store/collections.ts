/** The collections of this room: their documents and typed handles. */
import type { Db } from 'mongodb';
import type { IdempotencyDoc } from '../../leads/store/intakeDocs.js';

export const ingestCollections = (db: Db) => ({
  idempotency: db.collection<IdempotencyDoc>('idempotency'),
});
export type IngestCollections = ReturnType<typeof ingestCollections>;
