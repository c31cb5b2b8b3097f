/** The database of the service: every room's collections, on one connection. */
import { funnelCollections, type FunnelCollections } from '../funnels/store/collections.js';
import { connectMongo, type ConnectOptions, type Connection } from '../platform/mongo/connect.js';

/** Every collection: the last room that has some holds those of all rooms before it. */
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
