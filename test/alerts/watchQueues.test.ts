/** Queues of more buyers than one look reads. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { AlertDeps } from '../../src/alerts/deps.js';
import { watchQueues } from '../../src/alerts/watchQueues.js';
import { openDatabase, type TestDatabase } from '../support/database.js';
import { NOW } from '../support/storedRows.js';

const MINUTE_MS = 60_000;
const ago = (minutes: number): Date => new Date(Number(NOW) - minutes * MINUTE_MS);

let database: TestDatabase;
beforeAll(async () => {
  database = await openDatabase();
});
afterAll(() => database.drop());

it('clears no queue whose breaker is open behind a thousand others', async () => {
  const { collections } = database;
  const { alerts, destinations } = collections;
  const deps = { collections, clock: { now: () => NOW } } as unknown as AlertDeps;
  const isOpen = async () => (await alerts.findOne({ _id: 'queue:last' }))?.open;
  const setBreaker = (paused_at: Date | null) =>
    destinations.updateOne(
      { _id: 'last' },
      { $set: { org_id: 'org', paused_at } },
      { upsert: true },
    );
  await setBreaker(ago(31));
  await watchQueues(deps);
  expect(await isOpen()).toBe(true);

  // They opened before, are the first of the list, and were told.
  const names = Array.from({ length: 1_000 }, (_, n) => `other-${n}`);
  const told = { org_id: 'org', kind: 'queue' as const, open: true, since: ago(60), seq: 1 };
  await alerts.insertMany(names.map((name) => ({ _id: `queue:${name}`, ...told })));
  const others = names.map((_id) => ({ _id, org_id: 'org', paused_at: ago(60) }));
  await destinations.insertMany(others as never[]);
  await watchQueues(deps);
  expect(await isOpen()).toBe(true);

  await setBreaker(null);
  await watchQueues(deps);
  expect(await isOpen()).toBe(false);
});
