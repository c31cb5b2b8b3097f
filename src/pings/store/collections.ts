/** The collections of this room: their documents and typed handles. */
import type { Db } from 'mongodb';
import type { PingDoc, PingCountDoc } from './pingDocs.js';

export const pingCollections = (db: Db) => ({
  pings: db.collection<PingDoc>('pings'),
  pingCounts: db.collection<PingCountDoc>('ping_counts'),
});
export type PingCollections = ReturnType<typeof pingCollections>;
