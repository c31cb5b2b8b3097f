/** Lists in pages: each goes on after the last record of the one before, so that none comes twice or is left out. */
import type { Collection, Document, Filter, FindOptions, Sort, WithId } from 'mongodb';

/** The last record of a page: its instant, and its id among those of the same instant. */
export interface Place {
  at: Date;
  /** Empty: before every id. */
  id: string;
}

export interface Wanted {
  /** Null for the first page. */
  after: Place | null;
  /** Most records, 1 or more. */
  limit: number;
}

export interface Found<T> {
  docs: T[];
  /** Null when there is no more. */
  next: Place | null;
}

/** The fields that order a list. Both are in the index that serves it. */
export interface Order {
  at: 'created_at' | 'at' | 'recorded_at';
  /** Orders the records of one instant. */
  id: '_id' | 'id';
  /** 1: oldest first, by rising ids. -1: newest first, by falling ids. */
  direction: 1 | -1;
}

export const OLDEST_FIRST: Order = { at: 'created_at', id: '_id', direction: 1 };
export const NEWEST_FIRST: Order = { at: 'created_at', id: '_id', direction: -1 };

/** The records after a place; empty for the first page. */
function behind({ at, id, direction }: Order, after: Place | null): Document {
  if (!after) return {};
  const [further, notBefore] = direction === 1 ? ['$gt', '$gte'] : ['$lt', '$lte'];
  return {
    [at]: { [notBefore]: after.at },
    // Of one instant those up to the place, and with them one that has no id: it would come again on every page. Said
    // with $or, each branch may be read on its own, and sorted in memory.
    $nor: [{ [at]: after.at, [id]: { $not: { [further]: after.id } } }],
  };
}

const sortOf = ({ at, id, direction }: Order): Sort => ({
  [at]: direction,
  [id]: direction,
});

/** A page, and how MongoDB reads it. */
type Reading = Wanted & { options?: FindOptions };

/** One page of the records that fit; one more is read to know whether there is another page. */
export const findPage = <T extends Document>(
  collection: Collection<T>,
  filter: Filter<T>,
  order: Order,
  wanted: Reading,
): Promise<Found<WithId<T>>> => {
  const page = { $and: [filter, behind(order, wanted.after)] } as Filter<T>;
  return readPage(collection, page, order, wanted);
};

/**
 * The same for the records that fit any of these filters. With an index that has the records of each filter in order,
 * MongoDB merges them as it reads, and reads no more than the page.
 */
export const findPageOfAny = <T extends Document>(
  collection: Collection<T>,
  filters: readonly Filter<T>[],
  order: Order,
  wanted: Reading,
): Promise<Found<WithId<T>>> => {
  const [only, ...others] = filters;
  if (only && others.length === 0) return findPage(collection, only, order, wanted);
  const begin = behind(order, wanted.after);
  const any = { $or: filters.map((filter) => ({ $and: [filter, begin] })) } as Filter<T>;
  return readPage(collection, any, order, wanted);
};

async function readPage<T extends Document>(
  collection: Collection<T>,
  filter: Filter<T>,
  order: Order,
  { limit, options }: Reading,
): Promise<Found<WithId<T>>> {
  const found = await collection
    .find(filter, options)
    .sort(sortOf(order))
    .limit(limit + 1)
    .toArray();
  const docs = found.slice(0, limit);
  const last = docs.at(-1);
  return { docs, next: found.length > limit && last ? placeOf(order, last) : null };
}

function placeOf({ at, id }: Order, doc: Document): Place {
  const [instant, name] = [doc[at] as Date, doc[id] as unknown];
  return { at: instant, id: typeof name === 'string' ? name : '' };
}

/**
 * One page of several that begin at the same place, newest first. A record in two of them is taken from the later read.
 */
export function mergePages<T extends { _id: string; created_at: Date }>(
  pages: readonly Found<T>[],
  limit: number,
): Found<T> {
  const each = new Map(pages.flatMap(({ docs }) => docs).map((doc) => [doc._id, doc]));
  const all = [...each.values()].sort(byNewest);
  const docs = all.slice(0, limit);
  const last = docs.at(-1);
  const isMore = all.length > limit || pages.some(({ next }) => next !== null);
  return { docs, next: isMore && last ? { at: last.created_at, id: last._id } : null };
}

type Dated = { _id: string; created_at: Date };
const byNewest = (a: Dated, b: Dated): number =>
  Number(b.created_at) - Number(a.created_at) || (a._id < b._id ? 1 : -1);
