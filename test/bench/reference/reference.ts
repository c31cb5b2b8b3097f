/** A reference for comparison: accepts the same leads and does the same work in another way. */
import type { Plan } from '../../../src/account/rules/plan.js';
import { connectStore, type Store } from '../../../src/app/database.js';
import { ensureIndexes } from '../../../src/app/ensureIndexes.js';
import { latestPlan } from '../../support/plans.js';
import { supplierOf } from '../../support/supplier.js';
import { SECRET, type Bench } from '../bench.js';
import { measuredCampaign, measuredLead } from '../load/campaign.js';
import { kindOf } from '../load/intakeLoad.js';
import { pidsOf, type Helper } from '../processes.js';
import type { TakenTotals } from '../audit/taken.js';

export interface Reference {
  /** Sends the n-th request. Its class: the answer. */
  request(n: number): Promise<string>;
  /** Its own processes, without the servers. */
  pids: readonly number[];
  /** @throws {Error} when what it stored and delivered contradicts its answers */
  stop(): Promise<void>;
}

export interface LeadReferenceSpec {
  name: string;
  /** A database of its own, emptied first, with the service's collections and indexes. */
  database: string;
  /** The processes, given their environment; the first one accepts the leads. */
  start: (env: Record<string, string>) => Promise<readonly [Helper, ...Helper[]]>;
}

const CONNECTIONS = 512;

/** Accepts the leads of a campaign like the measured one, in processes of its own. */
export async function startLeadReference(
  bench: Bench,
  { name, database, start }: LeadReferenceSpec,
): Promise<Reference> {
  const { mongodbUri } = bench.stack;
  const store = await connectStore({ uri: mongodbUri, database, patient: true });
  const { account } = await bench.account(measuredCampaign);
  await prepare(store, await latestPlan(bench.collections, account.campaignId));
  const env = { MONGODB_URI: mongodbUri, MONGODB_DATABASE: database, LEADWIRE_SECRET: SECRET };
  const helpers = await start(env);
  const supplier = supplierOf(helpers[0].url, account, CONNECTIONS);
  let answered = 0;
  /** Requests whose leads may or may not be sold. */
  let unanswered = 0;
  return {
    pids: pidsOf(helpers),
    async request(n) {
      const { fields, options } = measuredLead(n);
      unanswered += 1;
      const answer = await supplier.post(fields, options);
      if (answer.status < 500) unanswered -= 1;
      if (answer.status === 201) answered += 1;
      return kindOf(answer);
    },
    async stop() {
      await supplier.close();
      for (const helper of helpers) await helper.stop();
      const found = await countOf(bench, store, Object.values(account.buyers));
      await store.close();
      const isRight = Object.values(found).every(
        (count) => count >= answered && count <= answered + unanswered,
      );
      if (!isRight) throw new Error(`${name} answered 201 ${answered} times: ${told(found)}`);
    },
  };
}

async function prepare({ db, collections }: Store, plan: Plan): Promise<void> {
  await db.dropDatabase();
  await ensureIndexes(db);
  await collections.plans.insertOne(plan);
}

/** Counts of the sold leads. */
interface Found {
  sold: number;
  delivered: number;
  /** Leads that the buyers say they have. */
  taken: number;
}

async function countOf(
  { buyers }: Bench,
  { collections }: Store,
  buyerIds: readonly string[],
): Promise<Found> {
  const { byBuyer } = (await (await fetch(`${buyers.url}/taken`)).json()) as TakenTotals;
  return {
    sold: await collections.leads.countDocuments({ status: 'ACCEPTED' }),
    delivered: await collections.deliveries.countDocuments({ state: 'accepted' }),
    taken: buyerIds.reduce((sum, id) => sum + (byBuyer[id] ?? 0), 0),
  };
}

const told = ({ sold, delivered, taken }: Found): string =>
  `${sold} leads are sold, ${delivered} delivered, and the buyers have ${taken}`;
