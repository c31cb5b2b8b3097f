/** A command on a running installation: connects to its servers as a role does, and starts nothing. */
import { Client } from '@temporalio/client';
import { readConfig, type Config } from '../../src/app/config.js';
import type { Temporal } from '../../src/api/operator/queues.js';
import type { OperatorContext } from '../../src/api/operator/record.js';
import { connectStore, type Store } from '../../src/app/database.js';
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
    uri: needed('MONGODB_URI', config.mongodbUri),
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
  const connection = await connectTemporal(needed('TEMPORAL_ADDRESS', config.temporalAddress));
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

function needed(name: string, value: string | undefined): string {
  if (value !== undefined) return value;
  throw new UsageError(
    `${name} is not set. This command needs a running installation: set the address of its servers. leadwire up ` +
      'prints them.',
  );
}
