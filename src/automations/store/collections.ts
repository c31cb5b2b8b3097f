/** The collections of this room, and of the rooms before it: their documents and typed handles. */
import type { Db } from 'mongodb';
import { outcomeCollections } from '../../outcomes/store/collections.js';
import type { EventDeliveryDoc } from './automationDocs.js';

export const automationCollections = (db: Db) => ({
  ...outcomeCollections(db),
  eventDeliveries: db.collection<EventDeliveryDoc>('event_deliveries'),
});
export type AutomationCollections = ReturnType<typeof automationCollections>;
