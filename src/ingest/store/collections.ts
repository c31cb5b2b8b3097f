/** The collections of this room, and of the rooms before it: their documents and typed handles. */
import type { Collection, Db } from 'mongodb';
import {
  automationCollections,
  type AutomationCollections,
} from '../../automations/store/collections.js';
import type { IdempotencyDoc } from '../../leads/store/intakeDocs.js';

export interface IngestCollections extends AutomationCollections {
  idempotency: Collection<IdempotencyDoc>;
}

export const ingestCollections = (db: Db): IngestCollections => ({
  ...automationCollections(db),
  idempotency: db.collection('idempotency'),
});
