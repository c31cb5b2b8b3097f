/**
 * Collections whose calls are counted. The driver's own command monitoring would count the further batches of a read
 * too, but it decodes every answer of a cursor a second time for its events: a fifth of the CPU time of a `findOne`.
 */
import type { Collection } from 'mongodb';
import { getOwn } from '../../lib/getOwn.js';

/** Called with each command as it goes out, and the name of its collection. */
export type OnCommand = (command: string, collection: string) => void;

/** The command that each method sends; the batches of a long read after the first are not counted. */
const COMMANDS: Record<string, string> = {
  find: 'find',
  findOne: 'find',
  distinct: 'distinct',
  aggregate: 'aggregate',
  countDocuments: 'aggregate',
  estimatedDocumentCount: 'count',
  insertOne: 'insert',
  insertMany: 'insert',
  updateOne: 'update',
  updateMany: 'update',
  replaceOne: 'update',
  deleteOne: 'delete',
  deleteMany: 'delete',
  findOneAndUpdate: 'findAndModify',
  findOneAndReplace: 'findAndModify',
  findOneAndDelete: 'findAndModify',
};

/** The same collections; each reports the commands that its methods send. */
export function countCommands<C extends object>(collections: C, onCommand: OnCommand): C {
  const counted = Object.entries(collections).map(([name, one]) => [
    name,
    countedCollection(one as Collection, onCommand),
  ]);
  return Object.fromEntries(counted) as C;
}

const countedCollection = (collection: Collection, onCommand: OnCommand): Collection =>
  new Proxy(collection, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof key !== 'string' || typeof value !== 'function') return value;
      const command = getOwn(COMMANDS, key);
      if (command === undefined && key !== 'bulkWrite') return value;
      return (...args: unknown[]): unknown => {
        const commands = command === undefined ? commandsOf(args[0]) : [command];
        for (const one of commands) onCommand(one, target.collectionName);
        return Reflect.apply(value, target, args) as unknown;
      };
    },
  });

/** A bulk write sends one command for all its operations of a kind. */
function commandsOf(operations: unknown): Set<string> {
  const names = (Array.isArray(operations) ? operations : []).flatMap((one: object) =>
    Object.keys(one).slice(0, 1),
  );
  return new Set(names.flatMap((name) => getOwn(COMMANDS, name) ?? []));
}
