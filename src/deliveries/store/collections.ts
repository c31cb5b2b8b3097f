/** The collections of this room, and of the rooms before it: their documents and typed handles. */
import type { Db } from 'mongodb';
import { leadCollections } from '../../leads/store/collections.js';
import type { DeliveryDoc } from './deliveryDoc.js';
import type { DestinationDoc } from './destinationDoc.js';

export const deliveryCollections = (db: Db) => ({
  ...leadCollections(db),
  deliveries: db.collection<DeliveryDoc>('deliveries'),
  destinations: db.collection<DestinationDoc>('destinations'),
});
export type DeliveryCollections = ReturnType<typeof deliveryCollections>;
