/** The collections of this room, and of the rooms before it: their documents and typed handles. */
import type { Collection, Db } from 'mongodb';
import { outcomeCollections, type OutcomeCollections } from '../../outcomes/store/collections.js';
import type { EventDeliveryDoc } from './automationDocs.js';

export interface AutomationCollections extends OutcomeCollections {
  eventDeliveries: Collection<EventDeliveryDoc>;
}

export const automationCollections = (db: Db): AutomationCollections => ({
  ...outcomeCollections(db),
  eventDeliveries: db.collection('event_deliveries'),
});
