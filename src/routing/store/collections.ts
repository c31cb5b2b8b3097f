/** The collections of this room, and of the rooms before it: their documents and typed handles. */
import type { Collection, Db } from 'mongodb';
import {
  deliveryCollections,
  type DeliveryCollections,
} from '../../deliveries/store/collections.js';
import type { CapDoc } from './capDocs.js';
import type { TurnsDoc } from './turnsDoc.js';

export interface RoutingCollections extends DeliveryCollections {
  caps: Collection<CapDoc>;
  turns: Collection<TurnsDoc>;
}

export const routingCollections = (db: Db): RoutingCollections => ({
  ...deliveryCollections(db),
  caps: db.collection('caps'),
  turns: db.collection('turns'),
});
