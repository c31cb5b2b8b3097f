/** The collections of this room, and of the rooms before it: their documents and typed handles. */
import type { Collection, Db } from 'mongodb';
import { leadCollections, type LeadCollections } from '../../leads/store/collections.js';
import type { DeliveryDoc } from './deliveryDoc.js';
import type { DestinationDoc } from './destinationDoc.js';

export interface DeliveryCollections extends LeadCollections {
  deliveries: Collection<DeliveryDoc>;
  destinations: Collection<DestinationDoc>;
}

export const deliveryCollections = (db: Db): DeliveryCollections => ({
  ...leadCollections(db),
  deliveries: db.collection('deliveries'),
  destinations: db.collection('destinations'),
});
