/** The collections of this room, and of the rooms before it: their documents and typed handles. */
import type { Collection, Db } from 'mongodb';
import { routingCollections, type RoutingCollections } from '../../routing/store/collections.js';
import type { CommandDoc } from '../../deliveries/store/commandDoc.js';

export interface DistributionCollections extends RoutingCollections {
  commands: Collection<CommandDoc>;
}

export const distributionCollections = (db: Db): DistributionCollections => ({
  ...routingCollections(db),
  commands: db.collection('commands'),
});
