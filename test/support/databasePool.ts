/**
 * Databases on the MongoDB of the test run. One file uses a database alone; afterwards it is emptied and passed to the
 * next file of the process, because creating its indexes costs more than most files do with it. All files of a process
 * take and give back on one connection.
 */
import { randomUUID } from 'node:crypto';
import { MongoClient, type Db } from 'mongodb';
import { ensureIndexes } from '../../src/app/ensureIndexes.js';
import { INDEXES } from '../../src/app/indexes.js';
import { atProcessEnd } from './processEnd.js';

/** Emptied, with all indexes of the service and no others. */
const free: string[] = [];
/** Those that were taken with their indexes. */
const indexed = new Set<string>();
/** A collection with more documents than this is dropped and made again, which is cheaper than emptying it. */
const FEW = 2_000;

let client: Promise<MongoClient> | undefined;

/** The connection that the files of this process share. It waits for a busy server, and writes as the service does. */
export function sharedClient(): Promise<MongoClient> {
  client ??= MongoClient.connect(process.env.TEST_MONGODB_URI ?? '', {
    writeConcern: { w: 'majority', journal: true },
    ignoreUndefined: true,
  }).then((connected) => {
    atProcessEnd(() => connected.close());
    return connected;
  });
  return client;
}

/** The name of an empty database that no other file uses. */
export function takeDatabase(): string {
  const name = free.pop();
  if (name === undefined) return `test_${randomUUID().replaceAll('-', '').slice(0, 16)}`;
  indexed.add(name);
  return name;
}

/** Creates the indexes that the database, by its name, lacks. */
export async function prepareDatabase(name: string): Promise<void> {
  if (!indexed.has(name)) await ensureIndexes((await sharedClient()).db(name));
}

/** Returns the database to the pool, unless its indexes are not those of the service any more. */
export async function giveBack(name: string): Promise<void> {
  const db = (await sharedClient()).db(name);
  indexed.delete(name);
  const sizes = await sizesOf(db);
  if ((await secondaryIndexes(db)) !== INDEXES.length) {
    await db.dropDatabase();
    return;
  }
  const large = [...sizes].filter(([, size]) => size > FEW);
  for (const [collection] of large) await db.dropCollection(collection);
  if (large.length > 0) await ensureIndexes(db);
  await deleteAll(db, new Map([...sizes].filter(([, size]) => size <= FEW)));
  if (!free.includes(name)) free.push(name);
}

/** Deletes every document, also while a service uses the database. */
export async function emptyDatabase(name: string): Promise<void> {
  const db = (await sharedClient()).db(name);
  await deleteAll(db, await sizesOf(db));
}

async function deleteAll(db: Db, sizes: Map<string, number>): Promise<void> {
  const used = [...sizes].filter(([, size]) => size > 0);
  await Promise.all(used.map(([collection]) => db.collection(collection).deleteMany({})));
}

/** How many documents each collection has: one command for all, because there are dozens. */
async function sizesOf(db: Db): Promise<Map<string, number>> {
  const listed = await db.listCollections({}, { nameOnly: true }).toArray();
  const [first, ...others] = listed.map(({ name }) => name);
  if (first === undefined) return new Map();
  const count = { $collStats: { count: {} } };
  const counted = await db
    .collection(first)
    .aggregate<{ ns: string; count: number }>([
      count,
      ...others.map((coll) => ({ $unionWith: { coll, pipeline: [count] } })),
    ])
    .toArray();
  return new Map(
    counted.map(({ ns, count: size }) => [ns.slice(db.databaseName.length + 1), size]),
  );
}

/** How many indexes there are besides those of `_id`. */
async function secondaryIndexes(db: Db): Promise<number> {
  const { indexes, collections } = await db.stats();
  return Number(indexes) - Number(collections);
}
