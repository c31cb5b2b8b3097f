import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { reconcile } from '../../../src/app/reconcile.js';
import { createQueueCommands } from '../../../src/distribution/commands/queueCommands.js';
import { CAP_WINDOWS, eachWindow } from '../../../src/account/rules/capLimits.js';
import type { Service } from '../../../src/app/service.js';
import { createCommandStore } from '../../../src/distribution/store/commands.js';
import { createAccount, type TestAccount } from '../../support/account.js';
import { startFakeBuyer, type FakeBuyer } from '../../support/fakeBuyer.js';
import { startServiceBed, type RoleProcess, type ServiceBed } from '../../support/service.js';
import { supplierOf, tally } from '../../support/supplier.js';
import { waitFor } from '../../support/waitFor.js';

/** Of several batches, the second of which has begun when the process is killed. */
const ROWS = 500;
const DROPPED_FIRST = 250;

describe('the delivery process is killed while it drops a queue', () => {
  let bed: ServiceBed;
  let buyer: FakeBuyer;
  let service: Service & { url: string };
  let delivery: RoleProcess;
  beforeAll(async () => {
    bed = await startServiceBed();
    buyer = await startFakeBuyer(() => ({ status: 503, headers: { 'retry-after': '3000' } }));
    [service, delivery] = await Promise.all([
      bed.start('api'),
      bed.spawn('delivery'),
      bed.spawn('worker'),
    ]);
  });
  afterAll(async () => {
    await bed.stop();
    await buyer.stop();
  });

  /** This many leads wait, as if they had been posted one after the other. */
  const fill = async (account: TestAccount): Promise<void> => {
    const { leads, deliveries, caps } = bed.collections;
    const supplier = supplierOf(service.url, account);
    const { data } = await supplier.post();
    await supplier.close();
    await waitFor(async () => (await leads.countDocuments({ _id: data?.id, run: null })) === 1, {
      message: 'the first one waits',
    });
    const lead = await leads.findOne({ _id: data?.id });
    const row = await deliveries.findOne({ lead_id: data?.id });
    if (!lead || !row) throw new Error('the first one is not stored');
    const more = Array.from({ length: ROWS - 1 }, () => randomUUID());
    await leads.insertMany(more.map((_id) => ({ ...lead, _id, seed: _id, keys: [] })));
    await deliveries.insertMany(more.map((lead_id) => ({ ...row, _id: `${lead_id}:1`, lead_id })));
    const windows = CAP_WINDOWS.flatMap(({ window }) => [
      [`${window}.count`, ROWS - 1],
      [`${window}.amount`, (ROWS - 1) * row.price],
    ]);
    await caps.updateMany(
      { _id: { $regex: `^buyer:${account.campaignId}` } },
      { $inc: Object.fromEntries(windows) as Record<string, number> },
    );
  };

  it('drops all of it once, and the counters match the rows', async () => {
    const account = await createAccount(bed, {
      buyers: { only: { delivery: { url: buyer.url } } },
    });
    await fill(account);
    const { collections } = bed;
    const mine = { campaign_id: account.campaignId };
    const ended = () => collections.deliveries.countDocuments({ ...mine, state: 'expired' });
    const operator = createQueueCommands({
      collections,
      commands: createCommandStore(collections.commands),
      waitMs: 110_000,
      starter: service.deps.starter,
      clock: service.deps.clock,
    });
    const dropping = operator.drop({ buyer_id: account.buyers.only });
    await waitFor(async () => (await ended()) >= DROPPED_FIRST, {
      message: 'some of them have ended',
    });
    delivery.kill('SIGKILL');
    await delivery.exited;
    expect(await ended()).toBeLessThan(ROWS);
    delivery = await bed.spawn('delivery');

    expect(await dropping).toMatchObject({ rows: ROWS, busy: 0 });
    expect(await ended()).toBe(ROWS);
    // The rows that the killed call was dropping are resumed when their lease is over.
    const statuses = async () =>
      tally((await collections.leads.find(mine).toArray()).map(({ status }) => status));
    await waitFor(
      async () => {
        await collections.leads.updateMany(
          { ...mine, run: { $ne: null } },
          { $set: { lease_until: new Date(0) } },
        );
        await collections.caps.updateMany({}, { $set: { 'held.$[].at': new Date(0) } });
        await reconcile(service.deps);
        const left = await collections.caps.countDocuments({ 'held.0': { $exists: true } });
        return left === 0 && (await statuses()).EXPIRED === ROWS;
      },
      { message: 'every lead is decided', timeoutMs: 60_000 },
    );
    const cap = await collections.caps.findOne({
      _id: `buyer:${account.campaignId}:${account.buyers.only ?? ''}`,
    });
    const none = { count: 0, amount: 0 };
    expect(cap).toMatchObject({ ...eachWindow(() => none), held: [] });
    const reasons = await collections.leads.distinct('trail.reason', mine);
    expect(reasons).toContain('dropped');
    expect(reasons).not.toContain('max_age');
    // Twice: the second round would correct what the first one found.
    for (let look = 0; look < 2; look++) {
      await collections.caps.updateMany({}, { $unset: { recount_at: true } });
      expect(await reconcile(service.deps)).toMatchObject({ counter: 0 });
    }
  }, 180_000);
});
