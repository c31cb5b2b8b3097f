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

/** As seldom as mongod can be told to write its journal by itself, in milliseconds. */
const JOURNAL_MS = 500;
const TELL_MS = 1_000;

/**
 * Acknowledged from memory: a mongod that is killed has lost what the journal did not have yet. This holds
 * for all collections, because the journal is one: a single durable write takes everything before it along.
 */
function alter(deps: Deps): Deps {
  const { client, db } = deps.store;
  const tell = () =>
    client.db('admin').command({ setParameter: 1, journalCommitInterval: JOURNAL_MS });
  // A mongod that was started anew has forgotten it.
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

/** What is not in the journal yet is read, too: else no run would see its own leads. */
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
    // Each kill takes what was acknowledged since the journal was written last, if there was anything.
    faults: (scene) => every(8_000, scene, (at) => kill(at, 'mongod')),
  },
};
