import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { destinationStore, type DestinationStore } from '../../src/store/destinations.js';
import { after, NOW } from './builders.js';
import { openDatabase, type TestDatabase } from './database.js';

describe('destinations', () => {
  let database: TestDatabase;
  let destinations: DestinationStore;

  beforeAll(async () => {
    database = await openDatabase();
    destinations = destinationStore(database.collections.destinations);
  });
  afterAll(() => database.drop());

  const get = async (id: string) => (await destinations.get([id])).get(id);
  const wakeByMany = async (id: string) => {
    const won = await Promise.all(
      Array.from({ length: 50 }, () => destinations.wake(id, 'org', NOW)),
    );
    return won.filter(Boolean).length;
  };

  it('is woken by one of 50 at once, the first time and after every sleep', async () => {
    const id = randomUUID();
    expect(await wakeByMany(id)).toBe(1);
    expect(await destinations.wake(id, 'org', NOW)).toBe(false);
    await destinations.sleep(id);
    expect(await wakeByMany(id)).toBe(1);
    expect(await get(id)).toMatchObject({ org_id: 'org', awake: true, awake_at: NOW, failures: 0 });
  });

  it('need not be woken while its drain is at work', async () => {
    const id = randomUUID();
    await destinations.wake(id, 'org', NOW);
    await destinations.sleep(id);
    await destinations.begin(id, after(1));
    expect(await destinations.wake(id, 'org', after(2))).toBe(false);
    expect((await get(id))?.last_drain_at).toEqual(after(1));
  });

  it('counts failures and rests until the latest moment that was asked for', async () => {
    const id = randomUUID();
    const long = { pauses: 2, open_until: after(5_000), retry_at: after(1_000) };
    const short = { pauses: 1, open_until: after(10), retry_at: after(3_000) };
    await destinations.failed(id, 'org', 2, long);
    await destinations.failed(id, 'org', 1, short);
    expect(await get(id)).toMatchObject({
      failures: 3,
      pauses: 2,
      open_until: after(5_000),
      retry_at: after(3_000),
    });
  });

  it('is not resting after failures that ask for no rest', async () => {
    const id = randomUUID();
    await destinations.failed(id, 'org', 1, { pauses: 0, open_until: null, retry_at: null });
    const { open_until, retry_at } = (await get(id)) ?? {};
    expect(Math.max(Number(open_until), Number(retry_at))).toBeLessThan(Number(NOW));
  });

  it('can be woken after it failed before anybody woke it', async () => {
    const id = randomUUID();
    await destinations.failed(id, 'org', 1, { pauses: 0, open_until: null, retry_at: NOW });
    expect(await wakeByMany(id)).toBe(1);
  });

  it('forgets failures once it is well, and tells one of 50 callers so', async () => {
    const id = randomUUID();
    const pause = { pauses: 3, open_until: after(5_000), retry_at: after(5_000) };
    await destinations.failed(id, 'org', 9, pause);
    const recovered = await Promise.all(
      Array.from({ length: 50 }, () => destinations.recovered(id)),
    );
    expect(recovered.filter(Boolean)).toHaveLength(1);
    expect(await get(id)).toMatchObject({
      failures: 0,
      pauses: 0,
      open_until: null,
      retry_at: null,
    });
  });
});
