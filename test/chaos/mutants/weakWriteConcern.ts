import type { Deps } from '../../../src/app/deps.js';
import { createCapStore } from '../../../src/routing/store/caps.js';
import { createClaimStore } from '../../../src/leads/store/claims.js';
import { collections as collectionsOf } from '../../../src/app/database.js';
import type { Collections } from '../../../src/app/database.js';
import { createDeliveryStore } from '../../../src/deliveries/store/deliveries.js';
import { createDestinationStore } from '../../../src/deliveries/store/destinations.js';
import { createTurnStore } from '../../../src/routing/store/turns.js';
import { createLeadStore } from '../../../src/leads/store/leads.js';
import { every, kill, type Mutant } from './mutant.js';

/** The longest interval at which mongod can write its journal by itself, in milliseconds. */
const JOURNAL_MS = 500;
const TELL_MS = 1_000;

/**
 * Acknowledged from memory: a killed mongod loses what was not yet in the journal. This holds for all
 * collections, because they share one journal: a single durable write also persists everything before it.
 */
function alter(deps: Deps): Deps {
  const { client, db } = deps.store;
  const tell = () =>
    client.db('admin').command({ setParameter: 1, journalCommitInterval: JOURNAL_MS });
  // A restarted mongod has lost this setting.
  setInterval(() => void tell().catch(() => undefined), TELL_MS).unref();
  const weak = client.db(db.databaseName, { writeConcern: { w: 1, journal: false } });
  const collections = readingLocally(collectionsOf(weak));
  return {
    ...deps,
    collections,
    store: { ...deps.store, db: weak, collections },
    leads: createLeadStore(collections.leads),
    deliveries: createDeliveryStore(collections.deliveries),
    caps: createCapStore(collections.caps),
    claims: createClaimStore(collections),
    destinations: createDestinationStore(collections.destinations),
    turns: createTurnStore(collections.turns),
  };
}

/** Reads what is not yet in the journal too: otherwise no run would see its own leads. */
const readingLocally = (collections: Collections): Collections =>
  Object.fromEntries(
    Object.entries(collections).map(([name, collection]) => [name, readLocally(collection)]),
  ) as unknown as Collections;

const readLocally = <T extends object>(collection: T): T =>
  new Proxy(collection, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]): unknown =>
        Reflect.apply(value, target, args.map(withLocalReadConcern));
    },
  });

function withLocalReadConcern(option: unknown): unknown {
  const isOptions = typeof option === 'object' && option !== null && 'readConcern' in option;
  return isOptions ? { ...option, readConcern: { level: 'local' } } : option;
}

export const weakWriteConcern: Mutant = {
  alter,
  caughtBy: [
    'acknowledged_lead_missing',
    'accept_without_sale',
    'taken_twice',
    'request_for_unknown_lead',
    'answer_not_true',
  ],
  needs: {
    campaigns: ['honouring', 'holding'],
    rate: 40,
    // Each kill loses what was acknowledged since the last journal write, if anything.
    faults: (scene) => every(8_000, scene, (at) => kill(at, 'mongod')),
  },
};
