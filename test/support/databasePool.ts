/**
 * Databases on the MongoDB of the test run. One file uses a database alone; afterwards it is emptied and passed to the
 * next file of the process, because creating its indexes costs more than most files do with it.
 */
import { randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';

/** Emptied, with their indexes. */
const free: string[] = [];
/** A collection with more documents than this is dropped, which is faster than emptying it. */
const FEW = 2_000;

/** The name of an empty database that no other file uses. */
export const takeDatabase = (): string =>
  free.pop() ?? `test_${randomUUID().replaceAll('-', '').slice(0, 16)}`;

/** Returns the database to the pool. */
export async function giveBack(db: Db): Promise<void> {
  const collections = await db.collections();
  const sizes = await Promise.all(collections.map((one) => one.estimatedDocumentCount()));
  if (sizes.some((size) => size > FEW)) {
    await db.dropDatabase();
    return;
  }
  const used = collections.filter((_one, n) => sizes[n] !== 0);
  await Promise.all(used.map((one) => one.deleteMany({})));
  if (!free.includes(db.databaseName)) free.push(db.databaseName);
}
