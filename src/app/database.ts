/** The database of the service: the collections of every folder, on one connection. */
import { funnelCollections, type FunnelCollections } from '../funnels/store/collections.js';
import { connectMongo, type ConnectOptions, type Connection } from '../platform/mongo/connect.js';
import { countCommands, type OnCommand } from '../platform/mongo/counted.js';

/** Every collection: those of `src/funnels` include those of all folders below it. */
export type Collections = FunnelCollections;

export const collections = funnelCollections;

export interface Store extends Connection {
  collections: Collections;
}

export interface StoreOptions extends ConnectOptions {
  /** Receives each command to a collection; absent: commands are not counted. */
  onCommand?: OnCommand;
}

/**
 * Connects as {@link connectMongo} does.
 * @throws {Error} when the server is no replica set member or does not journal majority writes
 */
export async function connectStore({ onCommand, ...options }: StoreOptions): Promise<Store> {
  const connection = await connectMongo(options);
  const all = collections(connection.db);
  return { ...connection, collections: onCommand ? countCommands(all, onCommand) : all };
}
