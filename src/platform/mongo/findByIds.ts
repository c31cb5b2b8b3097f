import type { Collection, Document, Filter, FindOptions } from 'mongodb';

/** The documents with these ids, by id; sends no query where there are none. */
export async function findByIds<T extends Document & { _id: string }, Read extends Document = T>(
  collection: Collection<T>,
  ids: Iterable<string>,
  options?: FindOptions,
): Promise<Map<string, Read & { _id: string }>> {
  const some = [...new Set(ids)];
  if (some.length === 0) return new Map();
  const filter = { _id: { $in: some } } as unknown as Filter<T>;
  const found = await collection.find<Read & { _id: string }>(filter, options).toArray();
  return new Map(found.map((doc) => [doc._id, doc]));
}
