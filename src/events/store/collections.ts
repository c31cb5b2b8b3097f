/** The collections of this room: their documents and typed handles. */
import type { Db } from 'mongodb';
import type { EventDoc } from './eventDocs.js';
import type { EventSubscriptionsDoc } from './subscriptions.js';

export const eventCollections = (db: Db) => ({
  events: db.collection<EventDoc>('events'),
  eventWants: db.collection<EventSubscriptionsDoc>('event_wants'),
});
export type EventCollections = ReturnType<typeof eventCollections>;
