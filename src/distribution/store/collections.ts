/** The collections of this room, and of the rooms before it: their documents and typed handles. */
import type { Db } from 'mongodb';
import { routingCollections } from '../../routing/store/collections.js';
import type { CommandDoc } from '../../deliveries/store/commandDoc.js';

export const distributionCollections = (db: Db) => ({
  ...routingCollections(db),
  commands: db.collection<CommandDoc>('commands'),
});
export type DistributionCollections = ReturnType<typeof distributionCollections>;
