import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createBackground } from '../../src/lib/background.js';
import {
  addSample,
  recordHealth,
  type HealthSamples,
  type HealthSample,
} from '../../src/deliveries/destinations/recordHealth.js';
import { systemClock } from '../../src/lib/clock.js';
import { createLog } from '../../src/lib/log.js';
import { createPingHealth } from '../../src/pings/pingHealth.js';
import {
  createDestinationStore,
  type DestinationStore,
} from '../../src/deliveries/store/destinations.js';
import { listEvents } from '../../src/api/operator/events.js';
import { createEventStore, type EventStore } from '../../src/deliveries/store/destinationEvents.js';
import { openDatabase, type TestDatabase } from '../support/database.js';

const DOWN: HealthSample['verdict'] = { result: 'not_taken', http_status: 503 };
const YES: HealthSample['verdict'] = { result: 'accepted' };

describe('the health of buyers that are asked for bids', () => {
  let database: TestDatabase;
  let destinations: DestinationStore;
  let events: EventStore;
  beforeAll(async () => {
    database = await openDatabase();
    destinations = createDestinationStore(database.collections.destinations);
    events = createEventStore(database.collections.events, database.collections.destinations);
  });
  afterAll(() => database.drop());

  const bed = (gatherMs = 5) => {
    const calls: string[] = [];
    const woken: string[] = [];
    const background = createBackground();
    const told = (name: string) => void calls.push(name);
    const deps = {
      events,
      clock: systemClock,
      log: createLog('silent', 'test'),
      background,
      gatherMs,
      destinations: {
        get: (ids: readonly string[]) => (told('get'), destinations.get(ids)),
        failed: (...given: Parameters<DestinationStore['failed']>) => (
          told('failed'),
          destinations.failed(...given)
        ),
        recovered: (...given: Parameters<DestinationStore['recovered']>) => (
          told('recovered'),
          destinations.recovered(...given)
        ),
      },
      wake: (ids: readonly string[]) => void woken.push(...ids),
    };
    return {
      calls,
      woken,
      deps,
      health: createPingHealth(deps),
      kept: () => background.idle(10_000),
    };
  };
  const stored = async (id: string) => (await destinations.get([id])).get(id);
  const about = (buyer_id: string, verdict: HealthSample['verdict']): HealthSample => ({
    buyer_id,
    org_id: 'org',
    verdict,
  });
  const eventsOf = async (id: string) =>
    (await listEvents(database.collections, { org: 'org', limit: 100 })).filter(
      ({ data }) => 'buyer_id' in data && data.buyer_id === id,
    );

  it('is written once for many pings, and opens the breaker', async () => {
    const id = randomUUID();
    const { health, calls, kept } = bed();
    for (let n = 0; n < 500; n++) health.record(about(id, DOWN));
    expect(calls).toEqual([]);
    await kept();
    expect(calls).toEqual(['get', 'failed']);
    const doc = await stored(id);
    expect(doc).toMatchObject({ org_id: 'org', failures: 500, failure_source: 'ping' });
    expect(Number(doc?.open_until)).toBeGreaterThan(Date.now());
    expect((await eventsOf(id)).map(({ type }) => type)).toEqual(['buyer.paused']);
  });

  it('is healthy with any answer among failures, and nothing is written for a healthy buyer', async () => {
    const id = randomUUID();
    const { health, calls, kept } = bed();
    health.record(about(id, DOWN));
    health.record(about(id, { result: 'rejected', http_status: 404 }));
    await kept();
    expect(calls).toEqual(['get']);
    expect(await stored(id)).toBeUndefined();
  });

  it('has recovered when it answers, and its queue continues', async () => {
    const id = randomUUID();
    const { health, woken, kept } = bed();
    for (let n = 0; n < 5; n++) health.record(about(id, DOWN));
    await kept();
    health.record(about(id, YES));
    await kept();
    expect(await stored(id)).toMatchObject({ failures: 0, open_until: null, paused_at: null });
    expect(woken).toEqual([id]);
    expect((await eventsOf(id)).map(({ type }) => type).toSorted()).toEqual([
      'buyer.paused',
      'buyer.resumed',
    ]);
  });

  it('is not healthy by its bids while its deliveries fail', async () => {
    const id = randomUUID();
    const { health, deps, woken, kept } = bed();
    const delivered = (verdict: HealthSample['verdict']) => {
      const samples: HealthSamples = new Map();
      addSample(samples, about(id, verdict));
      return recordHealth(samples, 'delivery', new Date(), deps);
    };
    health.record(about(id, DOWN));
    await kept();
    await delivered(DOWN);
    health.record(about(id, DOWN));
    await kept();
    expect(await stored(id)).toMatchObject({ failures: 3, failure_source: 'delivery' });
    health.record(about(id, YES));
    await kept();
    expect(await stored(id)).toMatchObject({ failures: 3 });
    expect(woken).toEqual([]);
    await delivered(YES);
    expect(await stored(id)).toMatchObject({ failures: 0 });
    expect(woken).toEqual([id]);
    // After that, its earlier failures no longer count.
    health.record(about(id, DOWN));
    await kept();
    expect(await stored(id)).toMatchObject({ failures: 1, failure_source: 'ping' });
    health.record(about(id, YES));
    await kept();
    expect(await stored(id)).toMatchObject({ failures: 0 });
  });

  it('treats older failures of an unknown kind as deliveries', async () => {
    const id = randomUUID();
    const { health, kept } = bed();
    health.record(about(id, DOWN));
    await kept();
    await database.collections.destinations.updateOne(
      { _id: id },
      { $unset: { failure_source: 1 } },
    );
    health.record(about(id, YES));
    await kept();
    expect(await stored(id)).toMatchObject({ failures: 1 });
  });

  it('is no error for a caller when it cannot be stored, and is recorded by the next answer', async () => {
    const id = randomUUID();
    const { deps, health, kept } = bed();
    const { failed } = deps.destinations;
    deps.destinations.failed = () => Promise.reject(new Error('no database'));
    health.record(about(id, DOWN));
    await kept();
    deps.destinations.failed = failed;
    health.record(about(id, DOWN));
    await kept();
    expect(await stored(id)).toMatchObject({ failures: 1 });
  });
});
