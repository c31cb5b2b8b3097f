/** Two changes of an account at once, in the worst order: each has read before either writes. */
import type { Collection } from 'mongodb';
import type { Collections } from '../../src/app/database.js';

/** Where people's settings are stored. */
const SETTINGS = [
  ...(['campaigns', 'buyers', 'suppliers', 'campaignBuyers', 'campaignSuppliers'] as const),
  ...(['automations', 'portalSettings', 'oidcSettings', 'funnels', 'apiKeys', 'orgs'] as const),
] as const;

const WRITES = [
  ...(['insertOne', 'insertMany', 'updateOne', 'updateMany', 'replaceOne', 'bulkWrite'] as const),
  ...(['findOneAndUpdate', 'findOneAndReplace'] as const),
] as const;

type Write = (...given: unknown[]) => unknown;

/**
 * Runs both. The first write of each to a collection of settings waits for that of the other, or for its end, so the test
 * does not depend on which is faster.
 */
export async function atOnce<T>(
  collections: Collections,
  changes: readonly [() => Promise<T>, () => Promise<T>],
): Promise<T[]> {
  let arrived = 0;
  const gate = Promise.withResolvers<undefined>();
  const arrive = (): Promise<undefined> => {
    arrived += 1;
    if (arrived >= changes.length) gate.resolve(undefined);
    return gate.promise;
  };
  const patched = SETTINGS.map((name) => collections[name] as unknown as Collection);
  for (const one of patched) {
    const methods = one as unknown as Record<string, Write>;
    for (const name of WRITES) {
      const write = methods[name]?.bind(one) as Write;
      methods[name] = async (...given) => {
        await arrive();
        return write(...given);
      };
    }
  }
  try {
    return await Promise.all(changes.map((change) => change().finally(() => void arrive())));
  } finally {
    // The methods of the class are behind those of the instance.
    for (const one of patched) for (const name of WRITES) Reflect.deleteProperty(one, name);
  }
}
