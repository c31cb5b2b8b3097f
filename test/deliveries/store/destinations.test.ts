import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listEvents } from '../../../src/api/operator/events.js';
import type { Pause } from '../../../src/deliveries/rules/breaker.js';
import {
  createDestinationStore,
  type DestinationStore,
} from '../../../src/deliveries/store/destinations.js';
import {
  createEventStore,
  type EventStore,
} from '../../../src/deliveries/store/destinationEvents.js';
import { after, NOW } from '../../support/storedRows.js';
import { openDatabase, type TestDatabase } from '../../support/database.js';

describe('destinations', () => {
  let database: TestDatabase;
  let destinations: DestinationStore;
  let events: EventStore;

  beforeAll(async () => {
    database = await openDatabase();
    destinations = createDestinationStore(database.collections.destinations);
    events = createEventStore(database.collections.events, database.collections.destinations);
  });
  afterAll(() => database.drop());

  const get = async (id: string) => (await destinations.get([id])).get(id);
  const NO_REST: Pause = { pauses: 0, open_until: null, retry_at: null };
  const fail = (id: string, failed: number, pause: Partial<Pause> = {}, now = NOW) =>
    destinations.failed(id, {
      orgId: 'org',
      failed,
      now,
      reason: 'http_503',
      pause: { ...NO_REST, ...pause },
    });
  const wakeByMany = async (id: string) => {
    const won = await Promise.all(
      Array.from({ length: 50 }, () => destinations.wake(id, 'org', NOW)),
    );
    return won.filter(Boolean).length;
  };

  it('is woken by exactly one of 50 concurrent callers, the first time and after every sleep', async () => {
    const id = randomUUID();
    expect(await wakeByMany(id)).toBe(1);
    expect(await destinations.wake(id, 'org', NOW)).toBe(false);
    await destinations.sleep(id);
    expect(await wakeByMany(id)).toBe(1);
    expect(await get(id)).toMatchObject({ org_id: 'org', awake: true, awake_at: NOW, failures: 0 });
  });

  it('need not be woken while its drain is running', async () => {
    const id = randomUUID();
    await destinations.wake(id, 'org', NOW);
    await destinations.sleep(id);
    await destinations.begin(id, after(1));
    expect(await destinations.wake(id, 'org', after(2))).toBe(false);
    expect((await get(id))?.last_drain_at).toEqual(after(1));
  });

  it('counts failures and pauses until the latest requested time', async () => {
    const id = randomUUID();
    const long = { pauses: 2, open_until: after(5_000), retry_at: after(1_000) };
    const short = { pauses: 1, open_until: after(10), retry_at: after(3_000) };
    await fail(id, 2, long);
    await fail(id, 1, short);
    expect(await get(id)).toMatchObject({
      failures: 3,
      pauses: 2,
      open_until: after(5_000),
      retry_at: after(3_000),
    });
  });

  it('does not pause after failures that request no pause', async () => {
    const id = randomUUID();
    await fail(id, 1);
    const { open_until, retry_at } = (await get(id)) ?? {};
    expect(Math.max(Number(open_until), Number(retry_at))).toBeLessThan(Number(NOW));
  });

  it('can be woken after a failure that came before the first wake-up', async () => {
    const id = randomUUID();
    await fail(id, 1, { retry_at: NOW });
    expect(await wakeByMany(id)).toBe(1);
  });

  it('resets failures once it has recovered, and notifies exactly one of 50 callers', async () => {
    const id = randomUUID();
    const pause = { pauses: 3, open_until: after(5_000), retry_at: after(5_000) };
    await fail(id, 9, pause);
    const recovered = await Promise.all(
      Array.from({ length: 50 }, () => destinations.recovered(id, NOW)),
    );
    expect(recovered.filter(Boolean)).toHaveLength(1);
    expect(await get(id)).toMatchObject({
      failures: 0,
      pauses: 0,
      open_until: null,
      retry_at: null,
    });
  });

  describe('whose breaker opens', () => {
    const kinds = async (id: string) => (await get(id))?.events?.map(({ type }) => type);

    it('records it once, however many requests fail at the same time, and starts a cooldown', async () => {
      const id = randomUUID();
      await Promise.all(Array.from({ length: 50 }, () => fail(id, 1)));
      const doc = await get(id);
      expect(doc).toMatchObject({ failures: 50, paused_at: NOW, event_seq: 1 });
      expect(doc?.open_until).toEqual(after(5_000));
      expect(doc?.events).toEqual([
        {
          _id: `evt_${id}_1`,
          org_id: 'org',
          type: 'buyer.paused',
          created_at: NOW,
          data: { buyer_id: id, until: expect.any(Date), failures: 5, reason: 'http_503' },
        },
      ]);
    });

    it("does not open below the threshold, however long the buyer's Retry-After", async () => {
      const id = randomUUID();
      await fail(id, 4, { open_until: after(60_000) });
      expect(await get(id)).toMatchObject({ open_until: after(60_000), events: [] });
      expect(await get(id)).not.toHaveProperty('paused_at');
    });

    it('is prolonged by a failed probe without another event, and the probe is seen', async () => {
      const id = randomUUID();
      // However long it took to fail so often: the first cooldown has 5 s.
      await fail(id, 5, { pauses: 5 });
      // While it is unavailable: results of requests that were in flight.
      await fail(id, 2, { pauses: 5 }, after(1_000));
      expect(await get(id)).toMatchObject({ probes: 0, failures: 7, open_until: after(6_000) });
      await fail(id, 1, { pauses: 6 }, after(6_000));
      expect(await get(id)).toMatchObject({
        probes: 1,
        probed_at: after(6_000),
        open_until: after(16_000),
        paused_at: NOW,
      });
      expect(await kinds(id)).toEqual(['buyer.paused']);
    });

    it('lets a probe through after 5 s, and after each that fails twice as late, up to 60 s', async () => {
      const id = randomUUID();
      await fail(id, 5, { pauses: 9 });
      let at = 0;
      for (const seconds of [5, 10, 20, 40, 60, 60]) {
        expect((await get(id))?.open_until).toEqual(after(at + seconds * 1_000));
        at += seconds * 1_000;
        await fail(id, 1, {}, after(at));
      }
    });

    it('records its closing once, and can open again', async () => {
      const id = randomUUID();
      await fail(id, 5);
      const closed = await Promise.all(
        Array.from({ length: 50 }, () => destinations.recovered(id, after(9_000))),
      );
      expect(closed.filter(Boolean)).toHaveLength(1);
      expect(await get(id)).toMatchObject({ failures: 0, paused_at: null, open_until: null });
      await fail(id, 5, {}, after(10_000));
      const doc = await get(id);
      expect(doc?.events).toMatchObject([
        { _id: `evt_${id}_1`, type: 'buyer.paused' },
        {
          _id: `evt_${id}_2`,
          type: 'buyer.resumed',
          created_at: after(9_000),
          data: { buyer_id: id, until: null, failures: 5, reason: 'answered' },
        },
        { _id: `evt_${id}_3`, type: 'buyer.paused', created_at: after(10_000) },
      ]);
    });

    it('is neither opened nor prolonged by what was not sent', async () => {
      const id = randomUUID();
      await fail(id, 4);
      await fail(id, 0, { retry_at: after(1_000) });
      expect(await get(id)).toMatchObject({ failures: 4, retry_at: after(1_000), events: [] });
      expect((await get(id))?.open_until ?? null).toBeNull();
      await fail(id, 1);
      expect(await get(id)).toMatchObject({ open_until: after(5_000), probes: 0 });
      await fail(id, 0, {}, after(6_000));
      expect(await get(id)).toMatchObject({ open_until: after(5_000), probes: 0, failures: 5 });
    });

    it('records nothing when it was not open', async () => {
      const id = randomUUID();
      await fail(id, 2);
      expect(await destinations.recovered(id, NOW)).toBe(true);
      expect((await get(id))?.events).toEqual([]);
    });

    it('has its events in the outbox once, however often they are moved', async () => {
      const id = randomUUID();
      const orgId = randomUUID();
      const pause = { ...NO_REST, open_until: after(1_000) };
      const failing = { orgId, failed: 5, pause, reason: 'http_503', now: NOW };
      expect(await destinations.failed(id, failing)).toBe(true);
      // The state after a crash between the copy and the emptying of the array.
      const [event] = (await get(id))?.events ?? [];
      if (!event) throw new Error('no event was written');
      await database.collections.events.insertOne(event);
      await Promise.all(Array.from({ length: 20 }, () => events.flush(id)));
      await destinations.recovered(id, after(500));
      await events.flush(id);
      expect((await get(id))?.events).toEqual([]);
      expect(await listEvents(database.collections, { org: orgId, limit: 10 })).toMatchObject([
        { type: 'buyer.resumed' },
        { type: 'buyer.paused', data: { until: after(5_000) } },
      ]);
      expect(
        await listEvents(database.collections, { org: orgId, type: 'buyer.paused', limit: 10 }),
      ).toHaveLength(1);
    });

    it('is found where its events did not reach the outbox', async () => {
      const id = randomUUID();
      await fail(id, 5);
      expect(await events.stuck(NOW, 1_000)).not.toContain(id);
      expect(await events.stuck(after(1), 1_000)).toContain(id);
      await events.flush(id);
      expect(await events.stuck(after(1), 1_000)).not.toContain(id);
    });
  });

  it('is held and released, also before anything was ever sent to it', async () => {
    const id = randomUUID();
    await destinations.hold(id, 'org');
    expect(await get(id)).toMatchObject({ org_id: 'org', held: true, failures: 0, awake: false });
    await fail(id, 9, { retry_at: after(5_000) });
    await destinations.ask(id, 'a:1');
    await destinations.ask(id, 'a:1');
    await destinations.ask(id, 'b:1');
    expect(await get(id)).toMatchObject({ held: true, asked: ['a:1', 'b:1'], open_until: null });
    await destinations.clearAsked(id, ['a:1']);
    await destinations.release(id);
    // It has not answered yet: its breaker is half-open, and only a success closes it.
    expect(await get(id)).toMatchObject({
      held: false,
      asked: ['b:1'],
      retry_at: null,
      failures: 9,
      paused_at: NOW,
    });
  });
});
