/** The collections of this room, and of the rooms before it: their documents and typed handles. */
import type { Db } from 'mongodb';
import { deliveryCollections } from '../../deliveries/store/collections.js';
import type { CapDoc } from './capDocs.js';
import type { TurnsDoc } from './turns.js';

export const routingCollections = (db: Db) => ({
  ...deliveryCollections(db),
  caps: db.collection<CapDoc>('caps'),
  turns: db.collection<TurnsDoc>('turns'),
});
export type RoutingCollections = ReturnType<typeof routingCollections>;
