import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createBackground } from '../../src/lib/background.js';
import { createExpiryBuckets } from '../../src/platform/temporal/expiryBuckets.js';
import type { Service } from '../../src/app/service.js';
import { createExpiryStarter } from '../../src/platform/temporal/expiryStarter.js';
import { pingExpiryId } from '../../src/platform/temporal/names.js';
import { aPing } from '../support/pingBuilders.js';
import { startServiceBed, type ServiceBed } from '../support/service.js';
import { waitFor } from '../support/waitFor.js';

/** In place of a minute. */
const BUCKET_MS = 500;
const VALID_MS = 2_000;

describe('the workflow of pings that expire', () => {
  let bed: ServiceBed;
  /** Stores pings; it runs no workers. */
  let api: Service;
  let service: Service;
  beforeAll(async () => {
    bed = await startServiceBed();
    api = await bed.start('api');
    service = await bed.start();
  });
  afterAll(() => bed.stop());

  /** Stores pings as the API does. */
  const store = async (campaign_id: string, count: number): Promise<Date> => {
    const expires_at = new Date(Date.now() + VALID_MS);
    const { deps } = api;
    const background = createBackground();
    const buckets = createExpiryBuckets({
      clock: deps.clock,
      log: deps.log,
      background,
      bucketMs: BUCKET_MS,
      starter: createExpiryStarter(deps.client, deps.queues),
    });
    await bed.collections.pings.insertMany(
      Array.from({ length: count }, () => aPing({ campaign_id, expires_at })),
    );
    for (let n = 0; n < count; n++) buckets.stored(expires_at);
    await background.idle(5_000);
    return new Date(Math.ceil(Number(expires_at) / BUCKET_MS) * BUCKET_MS);
  };
  const haveExpired = (campaign_id: string, count: number) =>
    waitFor(
      async () =>
        (await bed.collections.pings.countDocuments({ campaign_id, state: 'expired' })) === count,
      { message: `${count} pings of ${campaign_id} have expired` },
    );

  it('sleeps until they expire, is one for all, has a description, and is found by their campaign', async () => {
    const until = await store('first', 20);
    const { client, queues } = api.deps;
    const handle = client.workflow.getHandle(pingExpiryId(queues, until));
    const running = await handle.describe();
    expect(await running.staticSummary()).toBe(`Pings that expire by ${until.toISOString()}`);
    expect(await running.staticDetails()).toContain('`reconcile` finds overdue');
    await handle.result();
    const expired = await bed.collections.pings.find({ state: 'expired' }).toArray();
    expect(expired).toHaveLength(20);
    expect(expired.every((ping) => Number(ping.expired_at) >= Number(ping.expires_at))).toBe(true);
    const found: string[] = [];
    await waitFor(
      async () => {
        for await (const { workflowId } of client.workflow.list({ query: `CampaignId = "first"` }))
          found.push(workflowId);
        return found.length > 0;
      },
      { message: 'it is listed' },
    );
    expect(new Set(found)).toEqual(new Set([pingExpiryId(queues, until)]));
    // A completed workflow is started again for late pings.
    await bed.collections.pings.insertOne(
      aPing({ campaign_id: 'late', expires_at: new Date(Number(until) - 1) }),
    );
    await createExpiryStarter(client, queues).expire(until);
    await haveExpired('late', 1);
  });

  it('continues after the processes were down for longer than the pings were valid', async () => {
    await service.stop();
    const until = await store('second', 3);
    await waitFor(() => Date.now() > Number(until) + 200, { message: 'their time is over' });
    const { pings } = bed.collections;
    expect(await pings.countDocuments({ campaign_id: 'second', state: 'open' })).toBe(3);
    service = await bed.start();
    await haveExpired('second', 3);
  });
});
