/**
 * Makes MongoDB ready for an installation, and ends: the replica set, its administrator, and a user for Leadwire that
 * may do what Leadwire does and no more. Safe to repeat. It runs on the machine of the server, or in its network: until
 * the first user exists, a server that requires a password accepts connections from nowhere else.
 *
 *   node dist/src/setup/mongodb.js      with MONGODB_ADMIN_URI, MONGODB_URI and MONGODB_DATABASE, or the files of the first two
 */
import '../app/runtime.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { MongoClient, MongoServerError, type Db, type Document } from 'mongodb';
import { readSecretFiles } from '../platform/security/secretFiles.js';

/** MongoDB's error codes (src/mongo/base/error_codes.yml). */
const UNAUTHORIZED = 13;
const AUTHENTICATION_FAILED = 18;
const ALREADY_INITIALIZED = 23;
const EXISTS = [51_002, 51_003];

const ROLE = 'leadwire';
/** Timeout for finding a server, milliseconds. */
const SELECT_MS = 10_000;
const PRIMARY_WITHIN_MS = 60_000;
const POLL_INTERVAL_MS = 250;

const FILES: ReadonlyMap<string, string> = new Map([
  ['MONGODB_ADMIN_URI', 'MONGODB_ADMIN_URI_FILE'],
  ['MONGODB_URI', 'MONGODB_URI_FILE'],
]);

interface Wanted {
  /** Of the server itself, with the administrator's name and password. */
  adminUri: string;
  /** As Leadwire will connect: it names the set, its member, and the user with the password. */
  uri: string;
  database: string;
}

interface User {
  name: string;
  password: string;
}

/** @throws {Error} naming the settings that are missing, or cannot be read */
function readWanted(environment: NodeJS.ProcessEnv): Wanted {
  const { values, faults } = readSecretFiles(environment, FILES);
  const settings = new Map(Object.entries({ ...environment, ...values }));
  const missing = [...FILES.keys()].filter((name) => faults.length === 0 && !settings.get(name));
  const all = [...faults, ...missing.map((name) => `${name}: required, or ${name}_FILE`)];
  if (all.length > 0) throw new Error(all.join('\n'));
  return {
    adminUri: settings.get('MONGODB_ADMIN_URI') ?? '',
    uri: settings.get('MONGODB_URI') ?? '',
    database: settings.get('MONGODB_DATABASE') ?? 'leadwire',
  };
}

async function setUp({ adminUri, uri, database }: Wanted): Promise<void> {
  const { user, set, member } = readAddress(uri);
  if (!(await isKnown(adminUri))) {
    await using(withoutUser(adminUri), async (client) => {
      await initiate(client, set, member);
      await makeAdministrator(client.db('admin'), readAddress(adminUri).user);
    });
  }
  await using(adminUri, async (client) => {
    await initiate(client, set, member);
    await makeUser(client.db('admin'), user, database);
  });
}

function readAddress(uri: string): { user: User; set: string; member: string } {
  const { username, password, host, searchParams } = new URL(uri);
  const user = { name: decodeURIComponent(username), password: decodeURIComponent(password) };
  return { user, set: searchParams.get('replicaSet') ?? '', member: host };
}

/** Whether the server accepts the administrator; it does not while it has no user, or has another password. */
async function isKnown(adminUri: string): Promise<boolean> {
  try {
    await using(adminUri, (client) => client.db('admin').command({ ping: 1 }));
    return true;
  } catch (error) {
    if (error instanceof MongoServerError && error.code === AUTHENTICATION_FAILED) return false;
    throw error;
  }
}

const withoutUser = (uri: string): string =>
  uri.replace(/\/\/[^@/]*@/, '//').replace(/authSource=[^&]*&?/, '');

async function using(uri: string, work: (client: MongoClient) => Promise<unknown>): Promise<void> {
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: SELECT_MS });
  try {
    await work(client);
  } finally {
    await client.close();
  }
}

/** Makes the set where there is none, and waits until it takes writes. */
async function initiate(client: MongoClient, set: string, host: string): Promise<void> {
  const admin = client.db('admin');
  const config = { _id: set, members: [{ _id: 0, host }] };
  await unless([ALREADY_INITIALIZED, UNAUTHORIZED], admin.command({ replSetInitiate: config }));
  const deadline = Date.now() + PRIMARY_WITHIN_MS;
  while (!(await admin.command({ hello: 1 })).isWritablePrimary) {
    if (Date.now() > deadline) throw new Error(`The replica set ${set} does not accept writes.`);
    await sleep(POLL_INTERVAL_MS);
  }
}

async function makeAdministrator(admin: Db, { name, password }: User): Promise<void> {
  const made = admin.command({ createUser: name, pwd: password, roles: ['root'] });
  if (await unless([UNAUTHORIZED], made)) return;
  throw new Error(
    'MongoDB has users, and refuses the password of its administrator in MONGODB_ADMIN_URI.',
  );
}

/**
 * Leadwire reads and writes leads. It also reads whether majority writes are journaled (of the cluster), and how old
 * indexes are, before it drops superseded ones.
 */
async function makeUser(admin: Db, { name, password }: User, database: string): Promise<void> {
  const rights: Document = {
    privileges: [
      { resource: { cluster: true }, actions: ['replSetGetConfig'] },
      { resource: { db: database, collection: '' }, actions: ['indexStats'] },
    ],
    roles: [{ role: 'readWrite', db: database }],
  };
  await unless(EXISTS, admin.command({ createRole: ROLE, ...rights }));
  await admin.command({ updateRole: ROLE, ...rights });
  const roles = [{ role: ROLE, db: 'admin' }];
  await unless(EXISTS, admin.command({ createUser: name, pwd: password, roles }));
  await admin.command({ updateUser: name, pwd: password, roles });
}

/** False when MongoDB refused it for one of these reasons. */
async function unless(codes: readonly number[], work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (error instanceof MongoServerError && codes.includes(Number(error.code))) return false;
    throw error;
  }
}

try {
  await setUp(readWanted(process.env));
  process.stderr.write('MongoDB is ready.\n');
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
