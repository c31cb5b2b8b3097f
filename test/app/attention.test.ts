/** What waits for a person: counted for readiness, told by the doctor. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createAttention } from '../../src/app/attention.js';
import { runCli } from '../support/cli.js';
import { openDatabase, type TestDatabase } from '../support/database.js';
import { send } from '../support/http.js';
import { aRow, NOW } from '../support/storedRows.js';
import { startTestbed, type Testbed } from '../support/testbed.js';

const NOTHING = {
  unknown_deliveries: 0,
  open_breakers: 0,
  dead_lettered_events: 0,
  counted_to: 1_000,
};

describe('what waits for a person', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openDatabase();
  });
  afterAll(() => database.drop());

  it('is counted in the whole installation, at most every ten seconds, and unknown while it cannot be', async () => {
    const { collections } = database;
    let ms = 0;
    const clock = { now: () => NOW, monotonic: () => ms, random: () => 0 } as never;
    const read = createAttention({ collections, clock });
    expect(await read()).toEqual(NOTHING);
    await collections.deliveries.insertMany([
      aRow({ _id: 'a:1', lead_id: 'a', state: 'unknown' }),
      aRow({ _id: 'b:1', lead_id: 'b', state: 'unknown', org_id: 'another' }),
      aRow({ _id: 'c:1', lead_id: 'c', state: 'parked' }),
    ]);
    await collections.destinations.insertMany([
      { _id: 'fails', paused_at: NOW },
      { _id: 'answers', paused_at: null },
      { _id: 'never-failed' },
    ] as never);
    await collections.eventDeliveries.insertMany([
      { _id: 'x', state: 'parked' },
      { _id: 'y', state: 'waiting' },
    ] as never);
    ms = 9_999;
    expect(await read()).toEqual(NOTHING);
    ms = 10_000;
    const [one, other] = await Promise.all([read(), read()]);
    expect(one).toEqual({
      unknown_deliveries: 2,
      open_breakers: 1,
      dead_lettered_events: 1,
      counted_to: 1_000,
    });
    expect(other).toEqual(one);

    const broken = { countDocuments: () => Promise.reject(new Error('away')) };
    const unread = createAttention({
      collections: { ...collections, deliveries: broken as never },
      clock,
    });
    expect(await unread()).toBeUndefined();
  });
});

describe('/readyz', () => {
  let bed: Testbed;
  beforeAll(async () => {
    bed = await startTestbed({ settings: { METRICS_ON_PORT: 'all' } });
  });
  afterAll(() => bed.stop());

  it('tells how much waits, and is ready all the same', async () => {
    const { status, text } = await send(`${bed.url}/readyz`);
    expect(status).toBe(200);
    const { attention } = JSON.parse(text) as { attention: object };
    expect(Object.keys(attention)).toEqual(Object.keys(NOTHING));
    expect(Object.values(attention).every(Number.isInteger)).toBe(true);
  });
});

describe('leadwire doctor', () => {
  let server: Server;
  let attention: object | undefined;
  beforeAll(async () => {
    server = createServer((_, response) => {
      const dependencies = { mongodb: { state: 'ok' } };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ status: 'ready', dependencies, attention }));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => new Promise((done) => server.close(done)));

  const waiting = async () => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { stdout } = await runCli(['doctor', '--json'], { LEADWIRE_URL: url, HOME: '/nowhere' });
    const { checks } = JSON.parse(stdout) as { checks: Record<string, string>[] };
    return checks
      .filter(({ name }) => name === 'waiting')
      .map(({ state, message }) => `${state}: ${message}`);
  };

  it('says what waits for a person, with a command for each', async () => {
    attention = { ...NOTHING, unknown_deliveries: 1, dead_lettered_events: 1_000 };
    expect(await waiting()).toEqual([
      'warning: 1 delivery whose buyer never answered: ask the buyer, then leadwire deliveries resolve',
      'warning: 1000 or more events that their automation did not accept: leadwire events deliveries --state parked',
    ]);
    attention = NOTHING;
    expect(await waiting()).toEqual(['ok: nothing waits for a person']);
  });

  it('says where to look when the server does not tell it', async () => {
    attention = undefined;
    expect(await waiting()).toEqual([
      'ok: what waits for a person is not told here: leadwire reports today tells it of your account, HEALTH_PORT of all',
    ]);
  });
});
