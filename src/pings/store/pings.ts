/** Pings: the decision about each, kept until it is no longer asked for. */
import type { Collection } from 'mongodb';
import { failedInserts } from '../../platform/mongo/failedInserts.js';
import type { PingDoc } from './pingDocs.js';

export interface PingStore {
  /** Inserts all in one call; those that exist already stay as they are, so that it may be repeated. */
  insert(pings: readonly PingDoc[]): Promise<void>;
  /** The stored pings of these ids. */
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
