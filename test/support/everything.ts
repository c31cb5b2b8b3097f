import type { Db } from 'mongodb';

/** Every document of every collection of the database, as JSON: what is not in it rests nowhere in plain text. */
export async function everythingIn(db: Db): Promise<string> {
  const collections = await db.listCollections({}, { nameOnly: true }).toArray();
  const documents = await Promise.all(
    collections.map(async ({ name }) => [name, await db.collection(name).find().toArray()]),
  );
  return JSON.stringify(documents);
}
