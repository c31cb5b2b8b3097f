/** The collections of this room, and of the rooms before it: their documents and typed handles. */
import type { Db } from 'mongodb';
import { platformCollections } from '../../platform/mongo/collections.js';
import type { EventDoc } from './eventDocs.js';
import type { EventSubscriptionsDoc } from './subscriptions.js';

export const eventCollections = (db: Db) => ({
  ...platformCollections(db),
  events: db.collection<EventDoc>('events'),
  eventWants: db.collection<EventSubscriptionsDoc>('event_wants'),
});
