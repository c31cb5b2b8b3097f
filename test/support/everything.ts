import type { Db } from 'mongodb';

/** Every document of every collection, as JSON: text that it does not contain is nowhere stored in plain text. */
export async function everythingIn(db: Db): Promise<string> {
  const collections = await db.listCollections({}, { nameOnly: true }).toArray();
  const documents = await Promise.all(
    collections.map(async ({ name }) => [name, await db.collection(name).find().toArray()]),
  );
  return JSON.stringify(documents);
}
