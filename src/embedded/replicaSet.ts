/** Makes one mongod a replica set of one, which transactions and majority writes need. */
import { MongoServerError, type Db, type Document } from 'mongodb';

export const REPLICA_SET = 'leadwire';

/** MongoDB's error codes (src/mongo/base/error_codes.yml). */
const NOT_YET_INITIALIZED = 94;
const ALREADY_INITIALIZED = 23;

/**
 * One step toward a writable primary named `host`; true when it is reached. Data last served on
 * another port gets the new host by a forced reconfiguration, since no other member could agree to it.
 */
export async function isPrimary(admin: Db, host: string): Promise<boolean> {
  const config = await readConfiguration(admin);
  if (!config) {
    await initiate(admin, host);
    return false;
  }
  const members = config.members as { host: string }[];
  if (members[0]?.host !== host) {
    const next = {
      ...config,
      version: (config.version as number) + 1,
      members: [{ _id: 0, host }],
    };
    await admin.command({ replSetReconfig: next, force: true });
    return false;
  }
  const hello = await admin.command({ hello: 1 });
  return hello.isWritablePrimary === true && hello.me === host;
}

async function readConfiguration(admin: Db): Promise<Document | null> {
  try {
    const { config } = await admin.command({ replSetGetConfig: 1 });
    return config as Document;
  } catch (error) {
    if (error instanceof MongoServerError && error.code === NOT_YET_INITIALIZED) return null;
    throw error;
  }
}

async function initiate(admin: Db, host: string): Promise<void> {
  try {
    await admin.command({ replSetInitiate: { _id: REPLICA_SET, members: [{ _id: 0, host }] } });
  } catch (error) {
    if (!(error instanceof MongoServerError) || error.code !== ALREADY_INITIALIZED) throw error;
  }
}
