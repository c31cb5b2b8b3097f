/** Pings: the decision about each, kept until `forget_at`. */
import type { Collection } from 'mongodb';
import { failedInserts } from '../../platform/mongo/failedInserts.js';
import type { PingDoc } from './pingDocs.js';

export type PingStore = ReturnType<typeof createPingStore>;

export function createPingStore(pings: Collection<PingDoc>) {
  return {
    /** Inserts all in one call; those that exist already stay as they are, so that it may be repeated. */
    async insert(docs: readonly PingDoc[]): Promise<void> {
      try {
        await pings.insertMany([...docs], { ordered: false });
      } catch (error) {
        failedInserts(error, docs);
      }
    },
    /** The stored pings of these ids. */
    async get(ids: readonly string[]): Promise<Map<string, PingDoc>> {
      const found = await pings.find({ _id: { $in: [...ids] } }).toArray();
      return new Map(found.map((ping) => [ping._id, ping]));
    },
  };
}
