import { MongoClient, type Db, type MongoClientOptions } from 'mongodb';
import { collections, type Collections } from '../../src/app/database.js';
import { ensureIndexes } from '../../src/app/ensureIndexes.js';
import { giveBack } from './databasePool.js';
import { testStack } from './stack.js';

export interface TestDatabase {
  client: MongoClient;
  db: Db;
  name: string;
  collections: Collections;
  drop(): Promise<void>;
}

/** A database of its own on the MongoDB of the test run, with the service's indexes. */
export async function openDatabase(options: MongoClientOptions = {}): Promise<TestDatabase> {
  const { mongodbUri, database: name } = testStack();
  const client = await MongoClient.connect(mongodbUri, {
    writeConcern: { w: 'majority', journal: true },
    ignoreUndefined: true,
    ...options,
  });
  const db = client.db(name);
  await ensureIndexes(db);
  return {
    client,
    db,
    name,
    collections: collections(db),
    async drop() {
      await giveBack(db);
      await client.close();
    },
  };
}
