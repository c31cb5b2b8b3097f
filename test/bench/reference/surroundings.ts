/** The dependencies of a reference process that accepts leads. */
import { MongoClient, type Collection } from 'mongodb';
import { Agent } from 'undici';
import { createKeyring, type Keyring } from '../../../src/platform/security/seal.js';
import { createFieldTools } from '../../../src/account/access/fieldTools.js';
import { compileMapping, type LeadMapper } from '../../../src/fields/mapping.js';
import type { BuyerTerms, Plan } from '../../../src/account/rules/plan.js';
import { collections } from '../../../src/app/database.js';
import type { Collections } from '../../../src/app/database.js';

/** Leads of a buyer on one day. */
export interface SlotDoc {
  /** The buyer's link and the day. */
  _id: string;
  count: number;
}

export interface Surroundings {
  collections: Collections;
  slots: Collection<SlotDoc>;
  plan: Plan;
  map: LeadMapper;
  keyring: Keyring;
  /** HTTP client for the buyers. */
  agent: Agent;
  close(): Promise<void>;
}

/**
 * One for each open request: with the driver's own 100, or the service's 32, requests would wait for a connection,
 * and so for the journal, one after another.
 */
const CONNECTIONS = 256;

/** From the environment: `MONGODB_URI`, `MONGODB_DATABASE`, `LEADWIRE_SECRET`. The plan is the one in the database. */
export async function findSurroundings(): Promise<Surroundings> {
  const { MONGODB_URI = '', MONGODB_DATABASE, LEADWIRE_SECRET = '' } = process.env;
  const client = await MongoClient.connect(MONGODB_URI, {
    writeConcern: { w: 'majority', journal: true },
    ignoreUndefined: true,
    maxPoolSize: CONNECTIONS,
  });
  const db = client.db(MONGODB_DATABASE);
  const all = collections(db);
  const plan = await all.plans.findOne({});
  if (!plan) throw new Error('There is no plan in the database');
  return {
    collections: all,
    slots: db.collection('slots'),
    plan,
    map: compileMapping(plan.fields, await createFieldTools(plan.fields)),
    keyring: createKeyring(LEADWIRE_SECRET),
    agent: new Agent({ connections: CONNECTIONS, keepAliveTimeout: 60_000 }),
    close: () => client.close(),
  };
}

export function termsOf({ buyers }: Plan, buyerId: string): BuyerTerms {
  const terms = buyers.find(({ buyer_id }) => buyer_id === buyerId);
  if (!terms) throw new Error(`The plan has no buyer ${buyerId}`);
  return terms;
}
