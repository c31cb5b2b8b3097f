import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { createMetrics } from '../../../src/platform/metrics.js';
import { watchPool } from '../../../src/platform/mongo/poolWatch.js';
import { testStack } from '../../support/stack.js';
import { waitFor } from '../../support/waitFor.js';

describe('the pool of connections to MongoDB', () => {
  const metrics = createMetrics();
  const client = new MongoClient(testStack().mongodbUri, {
    maxPoolSize: 1,
    waitQueueTimeoutMS: 1_000,
  });
  const valueOf = async (name: string) => {
    const page = await metrics.registry.metrics();
    return Number(new RegExp(`^leadwire_mongodb_pool_${name} (.+)$`, 'm').exec(page)?.[1]);
  };
  beforeAll(async () => {
    watchPool(client, metrics.pool);
    await client.connect();
    await client.db('pool_watch').collection('one').insertOne({});
  });
  afterAll(async () => {
    await client.db('pool_watch').dropDatabase();
    await client.close();
  });

  it('counts who uses it, who waits and for how long, and who waited in vain', async () => {
    const one = client.db('pool_watch').collection('one');
    const slow = (ms: number) => one.findOne({ $where: `sleep(${ms}) || true` });
    // The first script of a server takes a while to begin.
    await slow(0);
    metrics.pool.waitedMs = 0;
    expect(await valueOf('connections')).toBe(1);
    const using = slow(150);
    const waiting = slow(0);
    await waitFor(() => metrics.pool.waiting === 1, { message: 'the second one waits' });
    expect(await valueOf('used_connections')).toBe(1);
    expect(await valueOf('waiting_commands')).toBe(1);
    await Promise.all([using, waiting]);
    expect(await valueOf('used_connections')).toBe(0);
    expect(await valueOf('waiting_commands')).toBe(0);
    expect(await valueOf('wait_seconds_total')).toBeGreaterThan(0.05);
    expect(await valueOf('failures_total')).toBe(0);
    const blocking = slow(2_000);
    await expect(slow(0)).rejects.toThrow('Timed out while checking out a connection');
    expect(await valueOf('failures_total')).toBe(1);
    await blocking;
    expect(await valueOf('used_connections')).toBe(0);
    await client.close();
    expect(await valueOf('connections')).toBe(0);
    await client.connect();
  });
});
