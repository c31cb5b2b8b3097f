/** Pings: what was decided about each, kept until nobody asks any more. */
import type { Collection } from 'mongodb';
import { failedInserts } from '../../platform/mongo/failedInserts.js';
import type { PingDoc } from './pingDocs.js';

export interface PingStore {
  /** All in one call; those that are there already stay as they are, so that it may be repeated. */
  insert(pings: readonly PingDoc[]): Promise<void>;
  /** Those that are known, by their ids. */
  get(ids: readonly string[]): Promise<Map<string, PingDoc>>;
}

export function createPingStore(pings: Collection<PingDoc>): PingStore {
  return {
    async insert(docs) {
      try {
        await pings.insertMany([...docs], { ordered: false });
      } catch (error) {
        failedInserts(error, docs);
      }
    },
    async get(ids) {
      const found = await pings.find({ _id: { $in: [...ids] } }).toArray();
      return new Map(found.map((ping) => [ping._id, ping]));
    },
  };
}
