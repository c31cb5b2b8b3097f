/** The collections of this room: their documents and typed handles. */
import type { Db } from 'mongodb';
import type { EventDeliveryDoc } from './automationDocs.js';

export const automationCollections = (db: Db) => ({
  eventDeliveries: db.collection<EventDeliveryDoc>('event_deliveries'),
});
export type AutomationCollections = ReturnType<typeof automationCollections>;
