/** What there is to say of an index. */
import type { CreateIndexesOptions, IndexSpecification } from 'mongodb';

export interface IndexRow {
  collection: string;
  key: IndexSpecification;
  options?: CreateIndexesOptions;
  /** The queries that need it. */
  serves: string;
}
