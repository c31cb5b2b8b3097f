/** The database of the service: the collections of every folder, on one connection. */
import { funnelCollections, type FunnelCollections } from '../funnels/store/collections.js';
import { connectMongo, type ConnectOptions, type Connection } from '../platform/mongo/connect.js';

/** Every collection: those of `src/funnels` include those of all folders below it. */
export type Collections = FunnelCollections;

export const collections = funnelCollections;

export interface Store extends Connection {
  collections: Collections;
}

/**
 * Connects as {@link connectMongo} does.
 * @throws {Error} when the server is no replica set member or does not journal majority writes
 */
export async function connectStore(options: ConnectOptions): Promise<Store> {
  const connection = await connectMongo(options);
  return { ...connection, collections: collections(connection.db) };
}
