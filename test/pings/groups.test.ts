import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MongoNetworkError } from 'mongodb';
import { systemClock } from '../../src/lib/clock.js';
import { createAccountCache } from '../../src/account/access/accountCache.js';
import { createPings, type PingsDeps } from '../../src/pings/createPings.js';
import { createRateLimiter } from '../../src/platform/rateLimits/limiter.js';
import { createPingCountStore } from '../../src/pings/store/pingCounts.js';
import { createPingStore } from '../../src/pings/store/pings.js';
import { createPlanStore } from '../../src/account/store/plans.js';
import { startPingScene, type PingMarket, type PingScene } from './pingScene.js';

const NEVER = () => new Promise<never>(() => undefined);
const READ_OR_WRITTEN = [
  'versions',
  'pings',
  'ping_counts',
  'caps',
  'claims',
  'leads',
  'destinations',
  'turns',
  'suppressions',
  'rates',
];

describe('pings in flight', () => {
  let scene: PingScene;

  beforeAll(async () => {
    scene = await startPingScene({ PING_VALID_SECONDS: '60' });
  });
  afterAll(() => scene.stop());

  /** The service as the API builds it, on the connection whose commands are counted. */
  const pingsWith = (other: Partial<PingsDeps> = {}) => {
    const { deps } = scene.service;
    const { collections } = deps;
    const limiter = createRateLimiter({ rates: collections.rates });
    const pings = createPings({
      ...deps,
      limiter,
      accountCache: createAccountCache(
        collections,
        createPlanStore(collections.plans),
        systemClock,
      ),
      counts: createPingCountStore(collections.pingCounts),
      pings: createPingStore(collections.pings),
      tokens: deps.pingTokens,
      validMs: deps.config.ping.validMs,
      onStored: () => undefined,
      ...other,
    });
    return { ...pings, close: () => limiter.close() };
  };
  const callOf = ({ account }: PingMarket, fields = {}) => ({
    key: account.suppliers[0]?.key,
    body: {
      flo_campaign_id: account.campaignId,
      flo_supplier_id: account.suppliers[0]?.id,
      ...fields,
    },
    receivedAt: performance.now(),
  });
  const commands = async (): Promise<number> => {
    const { values } = await scene.service.deps.metrics.mongodbCommands.get();
    return values
      .filter(({ labels }) => READ_OR_WRITTEN.includes(String(labels.collection)))
      .reduce((sum, { value }) => sum + value, 0);
  };

  it('are read and written together: 200 at once take a fraction of a command each', async () => {
    const market = await scene.market({
      buyers: { a: { terms: { daily_ping_cap: 500 } }, b: { priority: 1 }, c: { priority: 1 } },
      terms: { caps: { daily_cap: 1_000 } },
    });
    const pings = pingsWith();
    await pings.submit(callOf(market));
    const before = await commands();
    const people = Array.from({ length: 200 }, (_, n) => ({ phone: `415555${1_000 + n}` }));
    const replies = await Promise.all(people.map((one) => pings.submit(callOf(market, one))));
    const spent = (await commands()) - before;
    await pings.idle();
    pings.close();
    expect(replies.filter(({ data }) => data.accepted)).toHaveLength(200);
    expect(await market.stored()).toHaveLength(201);
    expect(spent).toBeLessThan(80);
  });

  it('read almost nothing when the plan alone refuses them', async () => {
    const market = await scene.market({ terms: { caps: { daily_cap: 1_000 } } });
    await market.change(() => ({ status: 'PAUSED' }));
    const pings = pingsWith();
    await pings.submit(callOf(market));
    const before = await commands();
    await Promise.all(Array.from({ length: 200 }, () => pings.submit(callOf(market))));
    const spent = (await commands()) - before;
    pings.close();
    expect(await market.stored()).toHaveLength(201);
    expect(spent).toBeLessThan(40);
  });

  it('start the expiry of those that can be redeemed', async () => {
    const market = await scene.market();
    const told: Date[] = [];
    const pings = pingsWith({ onStored: (expiresAt) => told.push(expiresAt) });
    await pings.submit(callOf(market));
    await market.change(() => ({ buyers: [] }));
    await pings.submit(callOf(market));
    pings.close();
    const stored = await market.stored();
    expect(stored.map(({ state }) => state)).toEqual(['open', 'refused']);
    expect(told).toEqual([stored[0]?.expires_at]);
    expect(Number(stored[0]?.expires_at) - Number(stored[0]?.created_at)).toBe(60_000);
  });

  it('are answered 503 in time when they cannot be read or stored, and may be sent again', async () => {
    const market = await scene.market({ ping: { deadline_ms: 100 } });
    const { caps, destinations } = scene.service.deps;
    const gone = () => Promise.reject(new MongoNetworkError('the server is gone'));
    for (const broken of [
      { pings: { insert: NEVER } },
      { pings: { insert: gone } },
      { destinations: { ...destinations, findOpenUntil: NEVER } },
      { caps: { ...caps, read: gone } },
    ]) {
      const pings = pingsWith(broken);
      const error: unknown = await pings.submit(callOf(market)).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: 'unavailable', extras: { retry_after: 2 } });
      pings.close();
    }
    expect(await market.stored()).toEqual([]);
  });

  it('that exceed the limit get the time to retry, and the limit', async () => {
    const market = await scene.market();
    const { suppliers, orgId } = market.account;
    const limit = { per_second: 5, burst_per_second: 10, burst_seconds: 1 };
    const [_id] = suppliers.map(({ id }) => id);
    const { collections } = scene.bed;
    await collections.suppliers.updateOne({ _id: _id ?? '' }, { $set: { ping_rate_limit: limit } });
    await collections.versions.updateOne({ _id: orgId }, { $inc: { version: 1 } });
    /** A busy machine refuses a ping (503) before a token is counted for it: it is sent again. */
    const sendUntilCounted = async (): ReturnType<typeof market.ping> => {
      const reply = await market.ping();
      return reply.status === 503 ? sendUntilCounted() : reply;
    };
    const replies = await Promise.all(Array.from({ length: 40 }, sendUntilCounted));
    const limited = replies.filter(({ status }) => status === 429);
    expect(limited.length).toBeGreaterThan(0);
    expect(limited.length).toBeLessThan(40);
    for (const { headers } of replies) {
      expect(headers['ratelimit-policy']).toBe('"ping-burst";q=10;w=1, "ping-sustained";q=5;w=1');
    }
    expect(limited[0]?.headers['retry-after']).toBe('1');
    expect(limited[0]?.json?.message).toMatch(/^More than 5 pings a second/);
  });

  it('may come 500 a second by default, 1,000 for ten seconds', async () => {
    const market = await scene.market();
    expect((await market.ping()).headers['ratelimit-policy']).toBe(
      '"ping-burst";q=1000;w=1, "ping-sustained";q=5000;w=10',
    );
  });
});
