import { MongoClient, type Db, type MongoClientOptions } from 'mongodb';
import { collections, type Collections } from '../../src/app/database.js';
import { giveBack, prepareDatabase, sharedClient } from './databasePool.js';
import { testStack } from './stack.js';

export interface TestDatabase {
  client: MongoClient;
  db: Db;
  name: string;
  collections: Collections;
  drop(): Promise<void>;
}

/**
 * A database of its own on the MongoDB of the test run, with the service's indexes.
 * @param options of a connection of its own; without them it is on that of the process
 */
export async function openDatabase(options?: MongoClientOptions): Promise<TestDatabase> {
  const { mongodbUri, database: name } = testStack();
  await prepareDatabase(name);
  const client = options ? await connect(mongodbUri, options) : await sharedClient();
  const db = client.db(name);
  return {
    client,
    db,
    name,
    collections: collections(db),
    async drop() {
      if (options) await client.close();
      await giveBack(name);
    },
  };
}

const connect = (uri: string, options: MongoClientOptions): Promise<MongoClient> =>
  MongoClient.connect(uri, {
    writeConcern: { w: 'majority', journal: true },
    ignoreUndefined: true,
    ...options,
  });
