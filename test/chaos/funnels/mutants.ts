/** Deliberate bugs of funnels, and the rules that must catch each. */
import type { Collection } from 'mongodb';
import type { Deps } from '../../../src/app/deps.js';
import type { Collections } from '../../../src/app/database.js';
import { getOwn } from '../../../src/lib/getOwn.js';
import type { FunnelRule } from './check.js';

export interface FunnelMutant {
  /** Wraps the dependencies of a process, so that the product itself has no switch. */
  alter: (deps: Deps) => Deps;
  /** Any one of these rules is enough. */
  caughtBy: readonly FunnelRule[];
}

/** Stores each request under an id of its own: no earlier one is ever found. */
const forgetKeys: FunnelMutant = {
  alter: (deps) => {
    let n = 0;
    return withCollection(deps, 'idempotency', {
      insertMany: (rows, insert) =>
        insert((rows as { _id: string }[]).map((row) => ({ ...row, _id: `${row._id}:${++n}` }))),
    });
  },
  caughtBy: ['two_leads'],
};

/** Reports that a consent record is written, and writes none. */
const loseConsents: FunnelMutant = {
  alter: (deps) =>
    withCollection(deps, 'consents', {
      insertOne: () => Promise.resolve({ acknowledged: true }),
      updateOne: () => Promise.resolve({ acknowledged: true, matchedCount: 1, modifiedCount: 1 }),
      bulkWrite: () => Promise.resolve({ ok: 1 }),
    }),
  caughtBy: ['lead_without_consent'],
};

export const funnelMutants: Readonly<Record<string, FunnelMutant>> = {
  keys_forgotten: forgetKeys,
  consents_lost: loseConsents,
};

type Instead = (first: unknown, original: (first: unknown) => Promise<unknown>) => Promise<unknown>;

/** Replaces some methods of one collection. */
function withCollection(
  deps: Deps,
  name: keyof Collections,
  methods: Readonly<Record<string, Instead>>,
): Deps {
  const original = deps.collections[name] as unknown as Collection;
  const altered = new Proxy(original, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function') return value;
      const instead = typeof key === 'string' ? getOwn(methods, key) : undefined;
      if (!instead) return value.bind(target) as unknown;
      return (first: unknown, ...rest: unknown[]) =>
        instead(
          first,
          (changed) => Reflect.apply(value, target, [changed, ...rest]) as Promise<unknown>,
        );
    },
  });
  const collections = { ...deps.collections, [name]: altered };
  return { ...deps, collections, store: { ...deps.store, collections } };
}
