/** The service as an operator would run it on one machine: a process per role, buyers apart. */
import { setTimeout as delay } from 'node:timers/promises';
import { createKeyring, type Keyring } from '../../src/platform/security/seal.js';
import { OPEN_STATUSES } from '../../src/leads/rules/leadStatus.js';
import { connectStore, type Store } from '../../src/app/database.js';
import { ensureIndexes } from '../../src/app/ensureIndexes.js';
import type { Stack } from '../../src/embedded/stack.js';
import { taskQueues, type TaskQueues } from '../../src/platform/temporal/names.js';
import { createAccount, type AccountSpec, type TestAccount } from '../support/account.js';
import { supplierOf, type Supplier } from '../support/supplier.js';
import { noting, type Answers, type NotedCap, type Refusal } from './audit/answers.js';
import { readCommands, totalOf, type Commands } from './meters/commands.js';
import type { CpuGroups } from './meters/cores.js';
import {
  DEFAULT_ROLES,
  ROLES_OF,
  SERVICE_NAMES,
  type ProcessName,
  type RolesShape,
  type ServiceName,
} from './processNames.js';
import { startHelper, type Helper } from './processes.js';
import { readGroups, type GroupSums } from './meters/groups.js';
import { watchMemory, type MemorySample } from './meters/rss.js';

export interface Bench {
  stack: Stack;
  buyers: Helper;
  /** Task queues of its work in Temporal. */
  queues: TaskQueues;
  roles: RolesShape;
  /** Base URL of the API. */
  apiUrl: string;
  /** The processes of the service, the servers, the buyers, and this process, which generates the load. */
  processes: BenchProcess[];
  /** A new account and a client that posts for its suppliers; each 2xx is recorded. */
  account(spec: (buyerUrl: string) => AccountSpec): Promise<{
    account: TestAccount;
    supplier: Supplier;
  }>;
  collections: Store['collections'];
  /** Every 2xx that suppliers of `account` received. */
  answers: Answers;
  /** Leads of suppliers of `account` that were definitively refused. */
  refusals: Refusal[];
  /** Caps set by parts, for the audit. */
  caps: NotedCap[];
  /** Findings of audits, a sentence each: any of them fails the run. */
  failures: string[];
  /** Results of parts in addition to their figures, by the name of the part. */
  details: Record<string, unknown>;
  /** The memory of each process since the service started. */
  memory: readonly MemorySample[];
  /** URL at which Temporal counts the calls it answers; empty where it does not. */
  temporalMetricsUrl: string;
  /** The keyring that seals secrets of accounts and the service. */
  keyring: Keyring;
  /** Commands that the service's processes have sent to MongoDB so far. */
  commands(): Promise<Commands>;
  /** The groups of the intake that the service's processes have settled so far. */
  groups(): Promise<GroupSums>;
  /** Waits until every lead is decided or waits for its buyer, and the processes send no more commands. */
  quiet(): Promise<void>;
  /** Writes all data of MongoDB to disk, so that earlier writes do not disturb the next measurement. */
  checkpoint(): Promise<void>;
  /** Whether the buyer's breaker is open. */
  isResting(buyerId: string): Promise<boolean>;
  /** Removes all work that waits for the buyers of the account, so that it does not disturb the next measurement. */
  forget(account: TestAccount): Promise<void>;
  stop(): Promise<void>;
}

export interface BenchProcess {
  name: ProcessName;
  pid: number;
  /** URL of its metrics; empty when it has none. */
  healthUrl: string;
}

/** The secret that the service's keyring is made of. */
export const SECRET = 'a secret of 32 characters or more, for the benchmark';
const SERVICE_MAIN = '../../src/main.js';
const CONNECTIONS = 512;
/** Undecided, and not waiting for its buyer; by the index of open leads. */
const UNDECIDED = {
  $and: [{ status: { $in: [...OPEN_STATUSES] } }, { status: { $ne: 'PENDING' as const } }],
};
/** This long without a command is quiet, in milliseconds. */
const QUIET_MS = 500;
const QUIET_WITHIN_MS = 15_000;

export interface BenchOptions {
  roles?: RolesShape;
  /** Names the database and the task queues, of its own for each service. */
  name?: string;
  temporalMetricsUrl?: string;
  /** The folder for CPU profiles of the service's processes, written when they end; absent: none are taken. */
  profiles?: string;
  /** The entry file of the service; default: this version's. Another version's shares the servers with it. */
  main?: string;
  /** Settings of the service, in addition to those that every benchmark has. */
  settings?: Record<string, string>;
}

export async function startBench(stack: Stack, options: BenchOptions = {}): Promise<Bench> {
  const {
    name: database = 'bench',
    temporalMetricsUrl = '',
    settings = {},
    roles = DEFAULT_ROLES,
    profiles,
    main = SERVICE_MAIN,
  } = options;
  const prefix = `${database}-`;
  const store = await connectStore({ uri: stack.mongodbUri, database, patient: true });
  await ensureIndexes(store.db);
  const env = {
    PORT: '0',
    HEALTH_PORT: '0',
    LOG_LEVEL: 'info',
    MONGODB_URI: stack.mongodbUri,
    MONGODB_DATABASE: database,
    TEMPORAL_ADDRESS: stack.temporalAddress,
    TEMPORAL_TASK_QUEUE_PREFIX: prefix,
    LEADWIRE_SECRET: SECRET,
    OUTBOUND_ALLOW_PRIVATE: 'true',
    ...pickIntake(process.env),
    ...settings,
  };
  const buyers = await startHelper('buyerProcess.js');
  const flags = profiles === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profiles}`];
  const services: [ServiceName, Helper][] = [];
  for (const role of ROLES_OF[roles]) {
    const name = role === 'all' ? 'service' : role;
    services.unshift([name, await startHelper(main, [role], env, flags)]);
  }
  const apiUrl = services[0]?.[1].url ?? '';
  const suppliers: Supplier[] = [];
  const { collections } = store;
  const keyring = createKeyring(SECRET);
  const healthUrls = services.map(([, { healthUrl }]) => healthUrl);
  const commands = () => readCommands(healthUrls);
  const processes: BenchProcess[] = [
    ...services.map(([name, { child, healthUrl }]) => ({
      name,
      pid: child.pid ?? 0,
      healthUrl,
    })),
    ...[
      ...stack.processes,
      { name: 'buyers' as const, pid: buyers.child.pid ?? 0 },
      { name: 'load' as const, pid: process.pid },
    ].map((one) => ({ ...one, healthUrl: '' })),
  ];
  const answers: Answers = new Map();
  const refusals: Refusal[] = [];
  const memory = watchMemory(processes, () => answers.size);
  return {
    stack,
    buyers,
    processes,
    collections,
    keyring,
    commands,
    groups: () => readGroups(healthUrls),
    answers,
    refusals,
    temporalMetricsUrl,
    queues: taskQueues(prefix),
    roles,
    apiUrl,
    failures: [],
    details: {},
    caps: [],
    memory: memory.samples,
    async quiet() {
      const until = performance.now() + QUIET_WITHIN_MS;
      for (let last = -1; ;) {
        await delay(QUIET_MS);
        const open = await collections.leads.countDocuments(UNDECIDED, { limit: 1 });
        const now = totalOf(await commands());
        if ((open === 0 && now === last) || performance.now() > until) return;
        last = now;
      }
    },
    async checkpoint() {
      await store.client.db('admin').command({ fsync: 1 });
    },
    async isResting(buyerId) {
      const open = { _id: buyerId, open_until: { $gt: new Date() } };
      return (await collections.destinations.findOne(open)) !== null;
    },
    async forget({ campaignId }) {
      await collections.deliveries.deleteMany({ campaign_id: campaignId, state: 'parked' });
    },
    async account(spec) {
      const account = await createAccount({ collections, keyring }, spec(buyers.url));
      const supplier = noting(supplierOf(apiUrl, account, CONNECTIONS), {
        answers,
        refusals,
        orgId: account.orgId,
      });
      suppliers.push(supplier);
      return { account, supplier };
    },
    async stop() {
      memory.stop();
      await Promise.all(suppliers.map((supplier) => supplier.close()));
      for (const [, helper] of services) await helper.stop();
      await buyers.stop();
      await store.close();
    },
  };
}

/** The processes by group, for a window of load. @param own processes to measure; default: those of the service */
export function cpuGroupsOf(
  { processes }: Pick<Bench, 'processes'>,
  own?: readonly number[],
): CpuGroups {
  const pids = (...names: readonly ProcessName[]) =>
    processes.filter(({ name }) => names.includes(name)).map(({ pid }) => pid);
  return {
    own: own ?? pids(...SERVICE_NAMES),
    mongod: pids('mongod'),
    temporal: pids('temporal'),
    buyers: pids('buyers'),
    load: pids('load'),
  };
}

/** Environment variables can change the intake settings, to try them out. */
function pickIntake(environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter(
      (entry): entry is [string, string] => entry[0].startsWith('INTAKE_') && !!entry[1],
    ),
  );
}
