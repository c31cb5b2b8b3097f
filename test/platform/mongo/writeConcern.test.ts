import { MongoBulkWriteError } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { collections } from '../../../src/app/database.js';
import type { Collections } from '../../../src/app/database.js';
import { createDeliveryStore } from '../../../src/deliveries/store/deliveries.js';
import { createIdempotencyStore } from '../../../src/ingest/store/idempotency.js';
import { createLeadStore } from '../../../src/leads/store/leads.js';
import { aLead, aRow } from '../../support/storedRows.js';
import { openDatabase, type TestDatabase } from '../../support/database.js';

describe('an insert that the replica set does not confirm', () => {
  let database: TestDatabase;
  /** Needs confirmation from more members than exist: each write is made, but not durable. */
  let unconfirmed: Collections;

  beforeAll(async () => {
    database = await openDatabase();
    const { client, name } = database;
    unconfirmed = collections(client.db(name, { writeConcern: { w: 2, wtimeoutMS: 100 } }));
  });
  afterAll(() => database.drop());

  const notConfirmed = async (inserting: Promise<unknown>): Promise<void> => {
    const error = await inserting.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(MongoBulkWriteError);
    const { result } = error as MongoBulkWriteError;
    expect(result.getWriteConcernError()).toBeDefined();
  };

  it('does not count as stored, even if part of it already existed', async () => {
    const [stored, fresh] = [aLead(), aLead()];
    await createLeadStore(database.collections.leads).insert([stored]);
    await notConfirmed(createLeadStore(unconfirmed.leads).insert([stored, fresh]));
  });

  it('does not permit a delivery to be sent', async () => {
    const row = aRow();
    await createDeliveryStore(database.collections.deliveries).insertAttempts([row]);
    await notConfirmed(createDeliveryStore(unconfirmed.deliveries).insertAttempts([row, aRow()]));
  });

  it('claims no Idempotency-Key', async () => {
    const rowOf = (_id: string) => ({
      _id,
      lead_id: 'lead',
      body_hash: 'hash',
      expires_at: new Date(Date.now() + 60_000),
    });
    await createIdempotencyStore(database.collections.idempotency).claim([rowOf('one')]);
    const keys = createIdempotencyStore(unconfirmed.idempotency);
    await notConfirmed(keys.claim([rowOf('one'), rowOf('two')]));
  });
});
