/** A command on a running installation: connects to its servers as a role does, and starts nothing. */
import { Client } from '@temporalio/client';
import { readConfig, type Config } from '../../src/app/config.js';
import type { Temporal } from '../../src/api/operator/queues.js';
import type { OperatorContext } from '../../src/api/operator/record.js';
import { connectStore, type Store } from '../../src/app/database.js';
import { findRunning } from '../../src/embedded/running.js';
import { createServerClock } from '../../src/platform/mongo/serverClock.js';
import { connectTemporal } from '../../src/platform/temporal/connection.js';
import { taskQueues } from '../../src/platform/temporal/names.js';
import { describeError, UsageError } from '../terminal/errors.js';
import type { Environment } from '../output/paint.js';

/** Works on the database alone. */
export async function withRecord<T>(
  environment: Environment,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const config = configFrom(environment);
  const store = await connectStore({
    uri: needed(config, 'MONGODB_URI'),
    database: config.mongodbDatabase,
  });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/**
 * Works on the database in the name of an operator, whose changes and reads are recorded, by the clock of the database.
 * @param by the operator, for the audit log
 */
export const asOperator = <T>(
  environment: Environment,
  by: string | undefined,
  work: (context: OperatorContext & Pick<Store, 'collections'>) => Promise<T>,
): Promise<T> =>
  withRecord(environment, async ({ client, collections }) => {
    const clock = await createServerClock(client);
    try {
      return await work({ collections, clock, by });
    } finally {
      clock.close();
    }
  });

/** Works on running workflows in Temporal. */
export async function withTemporal<T>(
  environment: Environment,
  work: (temporal: Temporal) => Promise<T>,
): Promise<T> {
  const config = configFrom(environment);
  const connection = await connectTemporal(needed(config, 'TEMPORAL_ADDRESS'));
  try {
    const client = new Client({ connection, namespace: config.temporalNamespace });
    return await work({ client, queues: taskQueues(config.taskQueuePrefix) });
  } finally {
    await connection.close();
  }
}

/** @throws {UsageError} for settings that are not valid */
export function configFrom(environment: Environment): Config {
  try {
    return readConfig(environment);
  } catch (error) {
    throw new UsageError(describeError(error, false), { cause: error });
  }
}

/** The address that the setting names, or that of the server that runs in the home. */
function needed(config: Config, name: 'MONGODB_URI' | 'TEMPORAL_ADDRESS'): string {
  const { home, mongodbUri, temporalAddress } = config;
  const given = name === 'MONGODB_URI' ? mongodbUri : temporalAddress;
  if (given !== undefined) return given;
  const running = findRunning(home);
  const found = name === 'MONGODB_URI' ? running?.mongodbUri : running?.temporalAddress;
  if (found !== undefined) return found;
  const state = running === null ? 'no stack runs' : 'the stack has no address for it yet';
  throw new UsageError(
    `${name} is not set, and ${state} in ${home}. Start one with leadwire up, set LEADWIRE_HOME to the home of the ` +
      `running one, or set ${name} to the address of your own server.`,
  );
}
