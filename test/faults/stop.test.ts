import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createAccount } from '../support/account.js';
import { startFakeBuyer, YES, type FakeBuyer } from '../support/fakeBuyer.js';
import { startServiceBed, type ServiceBed } from '../support/service.js';
import { supplierOf } from '../support/supplier.js';
import { waitFor } from '../support/waitFor.js';
import { findLies, isSettled, postMany } from './truth.js';

describe('a process that receives a stop signal', () => {
  let bed: ServiceBed;
  let buyer: FakeBuyer;

  beforeAll(async () => {
    bed = await startServiceBed();
    buyer = await startFakeBuyer(({ path }) => ({
      ...YES,
      delayMs: path === '/soon' ? 0 : 500,
    }));
  });
  afterAll(async () => {
    await bed.stop();
    await buyer.stop();
  });

  it.each(['once', 'twice'])(
    'answers requests in flight, leaves nothing undecided and exits 0 (%s)',
    async (times) => {
      const account = await createAccount(bed, {
        buyers: { [times]: { delivery: { url: `${buyer.url}/${times}` } } },
      });
      const scene = { bed, account, buyer };
      const all = await bed.spawn('all', { INTAKE_GROUP_MAX: '8' });
      const supplier = supplierOf(all.url, account);
      const posting = postMany(supplier, 24, 0);
      const received = () => buyer.requests.filter(({ path }) => path === `/${times}`).length;
      // Requests that the service has not accepted yet would be refused by its end.
      const stored = () =>
        bed.collections.leads.countDocuments({ campaign_id: account.campaignId });
      await waitFor(async () => (await stored()) === 24, { message: 'every lead is stored' });
      const told = performance.now();
      all.kill('SIGTERM');
      if (times === 'twice') {
        await waitFor(() => received() >= 12, { message: 'more leads are with the buyer' });
        all.kill('SIGTERM');
      }
      const posted = await posting;
      await supplier.close();
      expect(posted.map(({ answer }) => answer?.status)).toEqual(posted.map(() => 201));
      expect(await all.exited).toBe(0);
      expect(performance.now() - told).toBeLessThan(30_000);
      expect(await isSettled(scene)).toBe(true);
      expect(await findLies(scene, posted)).toEqual([]);
    },
    60_000,
  );

  it('is not ready at once, and answers what is sent until a load balancer has noticed that', async () => {
    const account = await createAccount(bed, {
      buyers: { soon: { delivery: { url: `${buyer.url}/soon` } } },
    });
    const all = await bed.spawn('all', { STOP_DELAY_MS: '3000', HEALTH_PORT: '0' });
    const supplier = supplierOf(all.url, account, 64);
    const before = postMany(supplier, 40, 20);
    await delay(400);
    all.kill('SIGTERM');
    const ready = await fetch(`${all.healthUrl}/readyz`);
    expect([ready.status, await ready.json()]).toMatchObject([
      503,
      { dependencies: { process: { message: 'The process is stopping' } } },
    ]);
    const posted = [...(await postMany(supplier, 20, 20)), ...(await before)];
    await supplier.close();
    expect(posted.map(({ answer }) => answer?.status)).toEqual(posted.map(() => 201));
    expect(await all.exited).toBe(0);
  }, 60_000);
});
