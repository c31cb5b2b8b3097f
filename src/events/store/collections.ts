/** The collections of this room, and of the rooms before it: their documents and typed handles. */
import type { Collection, Db } from 'mongodb';
import { platformCollections, type PlatformCollections } from '../../platform/mongo/collections.js';
import type { EventDoc } from './eventDocs.js';
import type { EventSubscriptionsDoc } from './subscriptionsDoc.js';

export interface EventCollections extends PlatformCollections {
  events: Collection<EventDoc>;
  eventWants: Collection<EventSubscriptionsDoc>;
}

export const eventCollections = (db: Db): EventCollections => ({
  ...platformCollections(db),
  events: db.collection('events'),
  eventWants: db.collection('event_wants'),
});
