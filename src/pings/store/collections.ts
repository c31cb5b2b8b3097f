/** The collections of this room, and of the rooms before it: their documents and typed handles. */
import type { Db } from 'mongodb';
import { distributionCollections } from '../../distribution/store/collections.js';
import type { PingDoc, PingCountDoc } from './pingDocs.js';

export const pingCollections = (db: Db) => ({
  ...distributionCollections(db),
  pings: db.collection<PingDoc>('pings'),
  pingCounts: db.collection<PingCountDoc>('ping_counts'),
});
export type PingCollections = ReturnType<typeof pingCollections>;
