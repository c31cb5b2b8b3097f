import { expect } from '@jest/globals';
import { createKeyring } from '../../src/platform/security/seal.js';
import { connectStore } from '../../src/app/database.js';
import { ensureIndexes } from '../../src/app/ensureIndexes.js';
import { giveBack, takeDatabase } from '../support/databasePool.js';

export const keyring = createKeyring('a secret of the tests, long enough');
export const publicOnly = { allowPrivate: false };

/** A database of its own on the MongoDB of the test run. */
export async function openDatabase() {
  const uri = process.env.TEST_MONGODB_URI;
  if (!uri) throw new Error('TEST_MONGODB_URI is not set');
  const database = takeDatabase();
  const store = await connectStore({ uri, database, patient: true });
  await ensureIndexes(store.db);
  return {
    ...store,
    async drop() {
      await giveBack(store.db);
      await store.close();
    },
  };
}

/** An AppError that refuses one value. */
export const refusal = (field: string, message: string) => ({
  code: 'validation_failed',
  extras: { field_errors: [{ field, message: expect.stringContaining(message) }] },
});
