/** What a drain reports of a queue that changes while it is counted. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { drainBuyer } from '../../src/distribution/drainBuyer.js';
import { createQueueStore } from '../../src/deliveries/store/queue.js';
import { openDatabase, type TestDatabase } from '../support/database.js';
import { screeningDeps } from './screeningDeps.js';
import { answers } from './twoLeases.js';

const HOUR_MS = 3_600_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await openDatabase();
});
afterAll(() => database.drop());

it('looks again when the next row ends, where the row to be sent has left the queue meanwhile', async () => {
  const deps = screeningDeps(database, answers(200));
  const counts = { parked: 1, held: 0, unknown: 1, waiting: 2 };
  const [oldest, ends] = [new Date(), new Date(Date.now() + HOUR_MS)];
  const backlog = () => Promise.resolve({ ...counts, oldest, due: null, ends });
  const drained = await drainBuyer(
    'buyer',
    { inTime: () => false, leftMs: () => 0 },
    {
      ...deps,
      deliveries: { ...deps.deliveries, backlog },
      collections: database.collections,
      queue: createQueueStore(database.collections.deliveries),
      background: { add: () => undefined },
      failovers: { add: () => undefined, room: () => Promise.resolve(true) },
    },
  );
  expect(drained.backlog).toMatchObject({ parked: 1, unknown: 1, next: null });
  expect(drained.nextInMs).toBeGreaterThan(HOUR_MS - 60_000);
});
