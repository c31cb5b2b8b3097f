/** The database of the service: the collections of every room, on one connection. */
import type { Db } from 'mongodb';
import { alertCollections } from '../alerts/store/collections.js';
import { accountCollections } from '../account/store/collections.js';
import { automationCollections } from '../automations/store/collections.js';
import { deliveryCollections } from '../deliveries/store/collections.js';
import { distributionCollections } from '../distribution/store/collections.js';
import { eventCollections } from '../events/store/collections.js';
import { funnelCollections } from '../funnels/store/collections.js';
import { ingestCollections } from '../ingest/store/collections.js';
import { leadCollections } from '../leads/store/collections.js';
import { outcomeCollections } from '../outcomes/store/collections.js';
import { peopleCollections } from '../people/store/collections.js';
import { pingCollections } from '../pings/store/collections.js';
import { platformCollections } from '../platform/mongo/collections.js';
import { connectMongo, type ConnectOptions } from '../platform/mongo/connect.js';
import { countCommands, type OnCommand } from '../platform/mongo/counted.js';
import { portalCollections } from '../portal/store/collections.js';
import { reportCollections } from '../reports/store/collections.js';
import { routingCollections } from '../routing/store/collections.js';

export const collections = (db: Db) => ({
  ...platformCollections(db),
  ...eventCollections(db),
  ...accountCollections(db),
  ...peopleCollections(db),
  ...leadCollections(db),
  ...deliveryCollections(db),
  ...routingCollections(db),
  ...distributionCollections(db),
  ...pingCollections(db),
  ...reportCollections(db),
  ...outcomeCollections(db),
  ...automationCollections(db),
  ...alertCollections(db),
  ...ingestCollections(db),
  ...portalCollections(db),
  ...funnelCollections(db),
});
export type Collections = ReturnType<typeof collections>;

export type Store = Awaited<ReturnType<typeof connectStore>>;

/**
 * Connects as {@link connectMongo} does.
 * @param options.onCommand receives each command to a collection; absent: commands are not counted
 * @throws {Error} when the server is no replica set member or does not journal majority writes
 */
export async function connectStore({
  onCommand,
  ...options
}: ConnectOptions & { onCommand?: OnCommand }) {
  const connection = await connectMongo(options);
  const all = collections(connection.db);
  return { ...connection, collections: onCommand ? countCommands(all, onCommand) : all };
}
