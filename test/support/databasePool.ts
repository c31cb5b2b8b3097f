/**
 * Databases on the MongoDB of the test run. Each is one file's own while it is used; afterwards it is emptied and given
 * to the next file of the process, since making its indexes costs more than most files do with it.
 */
import { randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';

/** Emptied, with their indexes. */
const free: string[] = [];
/** A collection with more documents is dropped faster than emptied. */
const FEW = 2_000;

/** The name of a database that nobody else uses, and that is empty. */
export const takeDatabase = (): string =>
  free.pop() ?? `test_${randomUUID().replaceAll('-', '').slice(0, 16)}`;

/** Ends its use. */
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
