/** The one way to MongoDB: concerns and time limits are set here, and checked before the process serves. */
import { MongoClient } from 'mongodb';
import { watchPool, type PoolCounts } from './poolWatch.js';

/**
 * A call to a server that does not answer ends after two to three seconds. All four are needed: measured
 * with a stopped mongod, `timeoutMS` has no effect in this driver, and a socket limit alone lets the
 * repeated call hang in its handshake for the default 30 s. A write that timed out may still be applied.
 */
const LIMITS = {
  serverSelectionTimeoutMS: 2_000,
  socketTimeoutMS: 2_000,
  connectTimeoutMS: 1_000,
  waitQueueTimeoutMS: 2_000,
};

/** 0 is no limit. */
const PATIENT_LIMITS = {
  serverSelectionTimeoutMS: 10_000,
  socketTimeoutMS: 0,
  connectTimeoutMS: 10_000,
  waitQueueTimeoutMS: 0,
};

export interface ConnectOptions {
  uri: string;
  database: string;
  /** For work that may take long, such as building an index over old data, also on a server that is very busy. */
  patient?: boolean;
  /** What the pool of connections is counted into; absent: nowhere. */
  pool?: PoolCounts;
}

/**
 * Connects and checks that acknowledged writes are durable: a replica set, majority, journal.
 * @throws {Error} when the server is no replica set member or does not journal majority writes
 */
export async function connectMongo(options: ConnectOptions) {
  const client = new MongoClient(options.uri, {
    writeConcern: { w: 'majority', journal: true },
    readPreference: 'primary',
    ...LIMITS,
    ...(options.patient ? PATIENT_LIMITS : {}),
    maxPoolSize: 32,
    retryWrites: true,
    retryReads: true,
    ignoreUndefined: true,
  });
  if (options.pool) watchPool(client, options.pool);
  await client.connect();
  try {
    await assertDurable(client);
  } catch (error) {
    await client.close();
    throw error;
  }
  const db = client.db(options.database);
  return { client, db, close: (): Promise<void> => client.close() };
}

async function assertDurable(client: MongoClient): Promise<void> {
  const hello = await client.db('admin').command({ hello: 1 });
  if (!hello.setName) {
    throw new Error(
      'MongoDB is not a replica set. Start mongod with --replSet and run rs.initiate() once: without it ' +
        'an acknowledged lead could be lost.',
    );
  }
  const majorityJournals = await majorityIsJournaled(client);
  if (!majorityJournals) {
    throw new Error(
      'The replica set has writeConcernMajorityJournalDefault: false. Set it to true: majority writes ' +
        'must be in the journal before a lead is acknowledged.',
    );
  }
  const { writeConcern } = client.options;
  if (writeConcern.w !== 'majority' || writeConcern.journal === false) {
    throw new Error(
      'The MongoDB address must not weaken the write concern: leave w and journal out.',
    );
  }
}

/** True where the command fails: hosted clusters forbid it, and keep the default. */
async function majorityIsJournaled(client: MongoClient): Promise<boolean> {
  try {
    const reply: unknown = await client.db('admin').command({ replSetGetConfig: 1 });
    const { config } = reply as { config?: { writeConcernMajorityJournalDefault?: boolean } };
    return config?.writeConcernMajorityJournalDefault !== false;
  } catch {
    return true;
  }
}
