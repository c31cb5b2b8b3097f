/** The collections of this room: their documents and typed handles. */
import type { Db } from 'mongodb';
import type { DeliveryDoc } from './deliveryDoc.js';
import type { DestinationDoc } from './destinationDoc.js';

export const deliveryCollections = (db: Db) => ({
  deliveries: db.collection<DeliveryDoc>('deliveries'),
  destinations: db.collection<DestinationDoc>('destinations'),
});
export type DeliveryCollections = ReturnType<typeof deliveryCollections>;
