/** The collections of this room: their documents and typed handles. */
import type { Db } from 'mongodb';
import type { CapDoc } from './capDocs.js';
import type { TurnsDoc } from './turns.js';

export const routingCollections = (db: Db) => ({
  caps: db.collection<CapDoc>('caps'),
  turns: db.collection<TurnsDoc>('turns'),
});
export type RoutingCollections = ReturnType<typeof routingCollections>;
