/** What there is to say of an index. */
import type { CreateIndexesOptions } from 'mongodb';

export interface IndexRow {
  collection: string;
  /** Fields in their order; 1 rises, -1 falls. */
  key: Record<string, number>;
  options?: CreateIndexesOptions;
  /** The queries that need it. */
  serves: string;
}

export const index = (
  collection: string,
  key: IndexRow['key'],
  serves: string,
  options?: CreateIndexesOptions,
): IndexRow => ({ collection, key, options, serves });
