/** The collections of this room: their documents and typed handles. */
import type { Db } from 'mongodb';
import type { CommandDoc } from '../../deliveries/store/commandDoc.js';

export const distributionCollections = (db: Db) => ({
  commands: db.collection<CommandDoc>('commands'),
});
export type DistributionCollections = ReturnType<typeof distributionCollections>;
