import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createAccount } from '../../support/account.js';
import { startFakeBuyer, type FakeBuyer } from '../../support/fakeBuyer.js';
import { startServiceBed, type ServiceBed } from '../../support/service.js';
import { supplierOf, type Answer, type Supplier } from '../../support/supplier.js';

const LIMIT = { per_second: 20, burst_per_second: 40, burst_seconds: 3 };

/** How many requests at these moments (in milliseconds) two exact buckets allow: 160 when evenly sent. */
function allowedOf(moments: readonly number[]): number {
  const { per_second, burst_per_second, burst_seconds } = LIMIT;
  const room = (burst_per_second - per_second) * burst_seconds;
  let [burst, sustained, last, allowed] = [burst_per_second, room, 0, 0];
  for (const moment of moments) {
    const seconds = (moment - last) / 1_000;
    last = moment;
    burst = Math.min(burst_per_second, burst + seconds * burst_per_second);
    sustained = Math.min(room, sustained + seconds * per_second);
    if (Math.min(burst, sustained) < 1) continue;
    [burst, sustained, allowed] = [burst - 1, sustained - 1, allowed + 1];
  }
  return allowed;
}

describe('the rate limit of a key, shared by two processes', () => {
  let bed: ServiceBed;
  let buyer: FakeBuyer;
  let urls: [string, string];

  beforeAll(async () => {
    bed = await startServiceBed();
    buyer = await startFakeBuyer();
    const apis = Promise.all([bed.spawn('api'), bed.spawn('api')]);
    await bed.start('worker');
    const [one, other] = await apis;
    urls = [one.url, other.url];
  });
  afterAll(async () => {
    await bed.stop();
    await buyer.stop();
  });

  /** One supplier's key; leads go to the two processes in turn. */
  const supplierOfBoth = async (): Promise<
    Pick<Supplier, 'close'> & { post: (n: number) => Promise<Answer> }
  > => {
    const account = await createAccount(bed, {
      supplier: { rate_limit: LIMIT },
      buyers: { only: { delivery: { url: buyer.url } } },
    });
    const [even, odd] = [supplierOf(urls[0], account), supplierOf(urls[1], account)];
    return {
      post: (n) => (n % 2 === 0 ? even : odd).post(),
      async close() {
        await Promise.all([even.close(), odd.close()]);
      },
    };
  };
  const isTaken = ({ status }: Answer): boolean => status === 201;

  it('accepts 160 of 200 leads in 5 seconds, within 10 %', async () => {
    const supplier = await supplierOfBoth();
    const started = performance.now();
    const sentAt: number[] = [];
    const posts: Promise<Answer>[] = [];
    for (let n = 0; n < 200; n++) {
      await delay(Math.max(0, started + n * 25 - performance.now()));
      sentAt.push(performance.now() - started);
      posts.push(supplier.post(n));
    }
    const answers = await Promise.all(posts);
    await supplier.close();

    const taken = answers.filter(isTaken).length;
    const allowed = allowedOf(sentAt);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(200 - taken);
    expect(taken).toBeGreaterThanOrEqual(allowed * 0.9);
    expect(taken).toBeLessThanOrEqual(allowed * 1.1);
    expect(await bed.collections.leads.countDocuments()).toBe(taken);
  });

  it('accepts at most one second of the burst rate at once, and says when to retry', async () => {
    const supplier = await supplierOfBoth();
    const started = performance.now();
    const answers = await Promise.all(Array.from({ length: 100 }, (_, n) => supplier.post(n)));
    const seconds = (performance.now() - started) / 1_000;
    await supplier.close();

    const taken = answers.filter(isTaken);
    expect(taken.length).toBeGreaterThanOrEqual(36);
    expect(taken.length).toBeLessThanOrEqual((40 + 40 * seconds) * 1.1);

    const policy = '"ingest-burst";q=40;w=1, "ingest-sustained";q=60;w=3';
    const refused = answers.filter((answer) => !isTaken(answer));
    for (const { status, error, body, headers } of refused) {
      expect({ status, error }).toEqual({ status: 429, error: 'rate_limited' });
      expect(body.retry_after).toBe(1);
      expect(headers['retry-after']).toBe('1');
      expect(headers['ratelimit-policy']).toBe(policy);
      expect(headers.ratelimit).toMatch(/^"ingest-(?:burst|sustained)";r=0;t=1$/);
      expect(body.message).toMatch(/More than 20 leads a second \(bursts of 40 for 3 s\)/);
    }
    for (const { headers } of taken) {
      expect(headers['ratelimit-policy']).toBe(policy);
      expect(headers.ratelimit).toMatch(/^"ingest-(?:burst|sustained)";r=\d+;t=\d+$/);
      expect(headers['retry-after']).toBeUndefined();
    }
  });
});
