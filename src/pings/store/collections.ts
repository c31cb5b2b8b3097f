/** The collections of this room, and of the rooms before it: their documents and typed handles. */
import type { Collection, Db } from 'mongodb';
import {
  distributionCollections,
  type DistributionCollections,
} from '../../distribution/store/collections.js';
import type { PingDoc, PingCountDoc } from './pingDocs.js';

export interface PingCollections extends DistributionCollections {
  pings: Collection<PingDoc>;
  pingCounts: Collection<PingCountDoc>;
}

export const pingCollections = (db: Db): PingCollections => ({
  ...distributionCollections(db),
  pings: db.collection('pings'),
  pingCounts: db.collection('ping_counts'),
});
