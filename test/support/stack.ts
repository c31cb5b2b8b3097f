import { randomUUID } from 'node:crypto';
import { giveBack, takeDatabase } from './databasePool.js';

/** The servers of the test run, with names that no other test file uses at the same time. */
export interface TestStack {
  mongodbUri: string;
  temporalAddress: string;
  temporalNamespace: string;
  database: string;
  taskQueuePrefix: string;
  /** Returns the database to the pool. */
  drop(): Promise<void>;
}

/** @throws {Error} outside a test run, where no server addresses are set */
export function testStack(): TestStack {
  const mongodbUri = setting('TEST_MONGODB_URI');
  const unique = randomUUID().replaceAll('-', '').slice(0, 16);
  const database = takeDatabase();
  return {
    mongodbUri,
    temporalAddress: setting('TEST_TEMPORAL_ADDRESS'),
    temporalNamespace: 'default',
    database,
    taskQueuePrefix: `${unique}-`,
    drop: () => giveBack(database),
  };
}

function setting(name: string): string {
  const value = process.env[name];
  if (value) return value;
  throw new Error(
    `${name} is not set: run the tests by npm test, whose set-up starts the servers.`,
  );
}
