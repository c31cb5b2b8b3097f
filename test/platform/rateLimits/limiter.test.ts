import { performance } from 'node:perf_hooks';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, it, expect } from '@jest/globals';
import { MongoClient, type Collection } from 'mongodb';
import { createRateLimiter, type RateLimiter } from '../../../src/platform/rateLimits/limiter.js';
import type { RateVerdict } from '../../../src/platform/rateLimits/verdict.js';
import type { RateDoc, RateLimit } from '../../../src/platform/rateLimits/store/rateDoc.js';

const SMALL: RateLimit = { per_second: 50, burst_per_second: 100, burst_seconds: 2 };
const DEFAULT: RateLimit = { per_second: 100, burst_per_second: 200, burst_seconds: 10 };

const database = `rates_${randomUUID()}`;
const limiters: RateLimiter[] = [];
let client: MongoClient;
let rates: Collection<RateDoc>;
let calls = 0;

beforeAll(async () => {
  const uri = process.env.TEST_MONGODB_URI;
  if (!uri) throw new Error('TEST_MONGODB_URI must name a running MongoDB');
  client = new MongoClient(uri, { monitorCommands: true, writeConcern: { w: 'majority' } });
  client.on('commandStarted', (event) => {
    if (event.commandName === 'findAndModify') calls += 1;
  });
  await client.connect();
  rates = client.db(database).collection('rates');
  // The collection and a connection exist before times are measured.
  await rates.insertOne({ _id: 'first', burst: 0, sustained: 0, granted: 0, at: new Date() });
});

afterAll(async () => {
  for (const limiter of limiters) limiter.close();
  await client.db(database).dropDatabase();
  await client.close();
});

/** One API process. */
function limiter(): RateLimiter {
  const created = createRateLimiter({ rates });
  limiters.push(created);
  return created;
}

/** Takes at an even pace, in turn from each limiter; resolves with all verdicts. */
async function drive(
  processes: readonly RateLimiter[],
  run: { key: string; limit: RateLimit; perSecond: number; seconds: number },
): Promise<{ verdicts: RateVerdict[]; seconds: number }> {
  const taken: Promise<RateVerdict>[] = [];
  const from = performance.now();
  const total = run.perSecond * run.seconds;
  while (taken.length < total) {
    const due = Math.min(total, Math.ceil(((performance.now() - from) / 1_000) * run.perSecond));
    while (taken.length < due) {
      const process = processes[taken.length % processes.length]!;
      taken.push(process.take(run.key, run.limit));
    }
    await sleep(4);
  }
  const seconds = (performance.now() - from) / 1_000;
  return { verdicts: await Promise.all(taken), seconds };
}

const allowed = (verdicts: readonly RateVerdict[]): number =>
  verdicts.filter((verdict) => verdict.allowed).length;

const atOnce = (process: RateLimiter, count: number, key: string, limit: RateLimit) =>
  Promise.all(Array.from({ length: count }, () => process.take(key, limit)));

describe('a rate limit shared by two processes', () => {
  it('is exact within 10 % over four seconds of twice the rate', async () => {
    const run = { key: randomUUID(), limit: SMALL, perSecond: 100, seconds: 4 };
    const { verdicts, seconds } = await drive([limiter(), limiter()], run);
    const ideal = 100 + 50 * seconds;
    expect(allowed(verdicts)).toBeGreaterThan(ideal * 0.9);
    expect(allowed(verdicts)).toBeLessThan(ideal * 1.1);
  });

  it('accepts a burst up to the burst rate', async () => {
    const key = randomUUID();
    const from = performance.now();
    const halves = await Promise.all([
      atOnce(limiter(), 150, key, SMALL),
      atOnce(limiter(), 150, key, SMALL),
    ]);
    const refilled = ((performance.now() - from) / 1_000) * SMALL.burst_per_second;
    expect(allowed(halves.flat())).toBeGreaterThanOrEqual(100);
    expect(allowed(halves.flat())).toBeLessThanOrEqual(100 + Math.ceil(refilled));
  });

  it('refuses nothing to a sender that keeps to it, with few database calls', async () => {
    const before = calls;
    const run = { key: randomUUID(), limit: DEFAULT, perSecond: 190, seconds: 2 };
    const { verdicts } = await drive([limiter(), limiter()], run);
    expect(allowed(verdicts)).toBe(380);
    expect(calls - before).toBeLessThan(150);
  });
});

describe('a rate limiter', () => {
  it('begins a database call where it holds no token and awaits none', async () => {
    const [process, key] = [limiter(), randomUUID()];
    expect(process.beginsDraw(key)).toBe(true);
    const lone = process.take(key, SMALL);
    expect(process.beginsDraw(key)).toBe(false);
    await lone;
    expect(process.beginsDraw(key)).toBe(true);
    // The second draw takes one token ahead, for there were two requests.
    await process.take(key, SMALL);
    expect(process.beginsDraw(key)).toBe(false);
  });

  it('begins none where it refuses without asking', async () => {
    const [process, key] = [limiter(), randomUUID()];
    const verdicts = await atOnce(process, 150, key, SMALL);
    expect(allowed(verdicts)).toBeLessThan(150);
    expect(process.beginsDraw(key)).toBe(false);
  });

  it('lets a lone request pass with one database call', async () => {
    const before = calls;
    const verdict = await limiter().take(randomUUID(), DEFAULT);
    expect(verdict).toEqual({
      allowed: true,
      retryAfterMs: 0,
      bucket: 'burst',
      limit: 200,
      remaining: 199,
      resetSeconds: 1,
    });
    expect(calls - before).toBe(1);
  });

  it('decides 1,000 requests at once with a handful of database calls', async () => {
    const before = calls;
    const verdicts = await atOnce(limiter(), 1_000, randomUUID(), DEFAULT);
    expect(allowed(verdicts)).toBeGreaterThanOrEqual(200);
    expect(allowed(verdicts)).toBeLessThan(240);
    expect(calls - before).toBeLessThanOrEqual(4);
  });

  it('refuses a flood without asking the database each time', async () => {
    const key = randomUUID();
    const process = limiter();
    await atOnce(process, 300, key, SMALL);
    const before = calls;
    const { verdicts, seconds } = await drive([process], {
      key,
      limit: SMALL,
      perSecond: 3_000,
      seconds: 1,
    });
    expect(allowed(verdicts)).toBeLessThan(60 * seconds + 5);
    expect(calls - before).toBeLessThan(250 * seconds);
  });

  it('says when to retry, and then accepts the request', async () => {
    const key = randomUUID();
    const process = limiter();
    const limit: RateLimit = { per_second: 4, burst_per_second: 4, burst_seconds: 1 };
    const refused = (await atOnce(process, 5, key, limit))[4];
    expect(refused).toMatchObject({
      allowed: false,
      bucket: 'sustained',
      limit: 4,
      remaining: 0,
      resetSeconds: 1,
    });
    expect(refused?.retryAfterMs).toBeGreaterThan(150);
    expect(refused?.retryAfterMs).toBeLessThanOrEqual(251);
    await sleep(refused?.retryAfterMs);
    expect(await process.take(key, limit)).toMatchObject({ allowed: true });
  });

  it('counts each key by itself', async () => {
    const process = limiter();
    const limit: RateLimit = { per_second: 1, burst_per_second: 1, burst_seconds: 1 };
    expect(allowed(await atOnce(process, 2, randomUUID(), limit))).toBe(1);
    expect(allowed(await atOnce(process, 2, randomUUID(), limit))).toBe(1);
  });

  it('lets two processes create the same key at once', async () => {
    const key = randomUUID();
    const verdicts = await Promise.all(
      Array.from({ length: 12 }, () => limiter().take(key, DEFAULT)),
    );
    expect(allowed(verdicts)).toBe(12);
    expect((await rates.findOne({ _id: key }))?.burst).toBeGreaterThanOrEqual(188);
  });

  it('is unavailable when MongoDB cannot be reached', async () => {
    const gone = new MongoClient('mongodb://127.0.0.1:1/', { serverSelectionTimeoutMS: 100 });
    const process = createRateLimiter({ rates: gone.db(database).collection('rates') });
    limiters.push(process);
    await expect(process.take('key', DEFAULT)).rejects.toMatchObject({
      name: 'AppError',
      code: 'unavailable',
      message: 'The rate limit cannot be checked now; nothing was accepted',
    });
    await gone.close();
  });
});
