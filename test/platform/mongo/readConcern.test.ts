import type { CommandStartedEvent } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readHolders } from '../../../src/leads/store/holders.js';
import { createIdempotencyStore } from '../../../src/ingest/store/idempotency.js';
import { createLeadStore } from '../../../src/leads/store/leads.js';
import { after, aLead, NOW } from '../../support/storedRows.js';
import { openDatabase, type TestDatabase } from '../../support/database.js';

describe('the data that an answer depends on', () => {
  let database: TestDatabase;
  const found: unknown[] = [];

  beforeAll(async () => {
    database = await openDatabase({ monitorCommands: true });
    database.client.on('commandStarted', ({ commandName, command }: CommandStartedEvent) => {
      const { find, readConcern } = command as { find?: string; readConcern?: { level: string } };
      if (commandName === 'find') found.push(`${find} ${readConcern?.level ?? 'local'}`);
    });
  });
  afterAll(() => database.drop());

  it.each([
    ['answers', () => store().answers(['lead'])],
    ['withdrawals', () => store().withdraw(['lead'], NOW)],
    ['leads that a run takes', () => store().acquire(['lead'], 'run', after(1_000), NOW)],
    [
      'waiting leads that a run takes',
      () => store().acquireWaiting(['lead'], 'run', after(1), NOW),
    ],
  ])('is read as the majority has it: %s', async (_, read) => {
    await read();
    expect(found.splice(0)).toEqual(['leads majority']);
  });

  it('is read as the majority has it: the owner of an Idempotency-Key, and the holder of a claim', async () => {
    const keys = createIdempotencyStore(database.collections.idempotency);
    const row = { _id: 'key', lead_id: 'lead', body_hash: 'hash', expires_at: after(1_000) };
    await keys.claim([row]);
    await keys.claim([row]);
    await keys.get('key');
    expect(found.splice(0)).toEqual(['idempotency majority', 'idempotency majority']);
    await readHolders(database.collections, ['lead']);
    expect(found.splice(0)).toContain('leads majority');
  });

  it('sees what this process has just written', async () => {
    const lead = aLead();
    await store().insert([lead]);
    expect((await store().answers([lead._id])).has(lead._id)).toBe(true);
    expect(await store().withdraw([lead._id], NOW)).toEqual(new Set([lead._id]));
  });

  const store = () => createLeadStore(database.collections.leads);
});
