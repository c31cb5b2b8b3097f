/** The real service on the test run's servers, in this process or in processes of its own. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createKeyring, type Keyring } from '../../src/platform/security/seal.js';
import { readConfig } from '../../src/app/config.js';
import { createLog } from '../../src/lib/log.js';
import { startService, type Service, type ServiceOptions } from '../../src/app/service.js';
import { type Role } from '../../src/app/role.js';
import { collections, connectStore, type Store } from '../../src/app/database.js';
import { ensureIndexes } from '../../src/app/ensureIndexes.js';
import { prepareDatabase, sharedClient } from './databasePool.js';
import { CHEAP } from './passwordCost.js';
import { testStack, type TestStack } from './stack.js';

export const TEST_SECRET = 'a secret of 32 characters or more, for tests';
const MAIN = fileURLToPath(new URL('../../src/main.js', import.meta.url));

/** `passwordCost` undefined: the real one. */
type StartOptions = Pick<ServiceOptions, 'alter' | 'looksEveryMs' | 'passwordCost'> &
  Partial<Pick<ServiceOptions, 'log'>> & {
    /** Addresses of proxies, by which this service alone reaches its servers. */
    through?: Partial<Pick<TestStack, 'mongodbUri' | 'temporalAddress'>>;
  };

export interface ServiceBed {
  stack: TestStack;
  store: Store;
  collections: Store['collections'];
  keyring: Keyring;
  /** Starts roles in this process; `url` is the API's. */
  start(
    role?: Role,
    env?: Record<string, string>,
    options?: StartOptions,
  ): Promise<Service & { url: string }>;
  /** Starts a role as a process of its own, ready when this resolves. */
  spawn(role: Role, env?: Record<string, string>): Promise<RoleProcess>;
  /** Adds a step to `stop`, which runs when the services have ended and the database is still open. */
  onStop(close: () => Promise<unknown>): void;
  /** Stops everything started here and drops the database. */
  stop(): Promise<void>;
}

export interface RoleProcess {
  pid: number;
  /** Empty in roles without an API. */
  url: string;
  /** Empty without HEALTH_PORT. */
  healthUrl: string;
  child: ChildProcess;
  /** Resolves with the exit code, or null after a signal. */
  exited: Promise<number | null>;
  kill(signal: NodeJS.Signals): void;
}

/**
 * A database and task queues of the test file's own. `servers` replaces the servers of the test run too.
 * @param patient whether it waits for a busy MongoDB; a test that breaks its own must notice that it is gone
 */
export async function startServiceBed(
  servers: Partial<Pick<TestStack, 'mongodbUri' | 'temporalAddress' | 'database'>> = {},
  patient = servers.mongodbUri === undefined,
): Promise<ServiceBed> {
  const stack = { ...testStack(), ...servers };
  const store = await openStore(stack, patient);
  const services: Service[] = [];
  const processes: RoleProcess[] = [];
  const closings: (() => Promise<unknown>)[] = [];
  const environment = (extra: Record<string, string>) => ({
    PORT: '0',
    STOP_DELAY_MS: '0',
    LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
    MONGODB_URI: stack.mongodbUri,
    MONGODB_DATABASE: stack.database,
    TEMPORAL_ADDRESS: stack.temporalAddress,
    TEMPORAL_TASK_QUEUE_PREFIX: stack.taskQueuePrefix,
    LEADWIRE_SECRET: TEST_SECRET,
    OUTBOUND_ALLOW_PRIVATE: 'true',
    ...extra,
  });
  return {
    stack,
    store,
    collections: store.collections,
    keyring: createKeyring(TEST_SECRET),
    async start(role = 'all', env = {}, { through, ...options } = {}) {
      const config = readConfig(environment(env));
      const service = await startService({
        log: createLog(config.logLevel, role),
        passwordCost: CHEAP,
        ...options,
        config,
        stack: { ...stack, ...through, secret: TEST_SECRET },
        role,
      });
      services.push(service);
      return { ...service, url: service.url ?? '' };
    },
    async spawn(role, env = {}) {
      const process = await spawnRole(role, { ...environment(env), LOG_LEVEL: 'info' });
      processes.push(process);
      return process;
    },
    onStop: (close) => void closings.push(close),
    async stop() {
      for (const service of services) {
        await service.deps.client.schedule
          .getHandle(service.deps.queues.reconcile)
          .delete()
          .catch(() => undefined);
      }
      await Promise.all(services.map((service) => service.stop()));
      for (const { child, exited } of processes) {
        child.kill('SIGCONT');
        child.kill('SIGKILL');
        await exited;
      }
      await Promise.all(closings.map((close) => close()));
      await store.close();
      await stack.drop();
    },
  };
}

/** On the MongoDB of the test run, the connection is that of the process. */
async function openStore(
  { mongodbUri: uri, database }: TestStack,
  patient: boolean,
): Promise<Store> {
  if (patient && uri === process.env.TEST_MONGODB_URI) {
    await prepareDatabase(database);
    const client = await sharedClient();
    const db = client.db(database);
    return { client, db, collections: collections(db), close: () => Promise.resolve() };
  }
  // Creating the indexes on a new server takes longer than a request may wait, if the machine is busy.
  const patiently = await connectStore({ uri, database, patient: true });
  await ensureIndexes(patiently.db);
  await patiently.close();
  return connectStore({ uri, database, patient });
}

async function spawnRole(role: Role, env: Record<string, string>): Promise<RoleProcess> {
  const child = spawn(process.execPath, ['--enable-source-maps', MAIN, role], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const urls = await readyUrls(child, exited);
  return { pid: child.pid ?? 0, ...urls, child, exited, kill: (signal) => void child.kill(signal) };
}

type Urls = Pick<RoleProcess, 'url' | 'healthUrl'>;

/** The `ready` line names the addresses; if it never comes, the output so far is shown. */
async function readyUrls(child: ChildProcess, exited: Promise<unknown>): Promise<Urls> {
  const lines = createInterface({ input: child.stderr ?? process.stdin });
  const said: string[] = [];
  const ready = new Promise<Urls>((resolve) => {
    lines.on('line', (line) => {
      said.push(line);
      if (process.env.TEST_LOG_LEVEL) process.stderr.write(`${line}\n`);
      if (!line.includes('"msg":"ready"')) return;
      const entry = JSON.parse(line) as { url: string | null; health_url: string | null };
      resolve({ url: entry.url ?? '', healthUrl: entry.health_url ?? '' });
    });
  });
  const gone = exited.then(() => {
    throw new Error(`The process ended before it was ready:\n${said.join('\n')}`);
  });
  return Promise.race([ready, gone]);
}
