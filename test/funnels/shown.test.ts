/** Funnels for visitors are read from the database rarely, and served from memory while it cannot be read. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createAccountCache } from '../../src/account/access/accountCache.js';
import { createPlanStore } from '../../src/account/store/plans.js';
import { createShownFunnels } from '../../src/funnels/shown.js';
import { systemClock } from '../../src/lib/clock.js';
import { createAccount } from '../support/account.js';
import { startServiceBed, type ServiceBed } from '../support/service.js';
import { openSite } from './support/visitors.js';

let bed: ServiceBed;
beforeAll(async () => {
  bed = await startServiceBed();
});
afterAll(() => bed.stop());

it('is read at most twice a second, and is served from memory while the database does not answer', async () => {
  const account = await createAccount(bed, { buyers: {} });
  const { funnel } = await openSite(bed, '', { account });
  let [reads, isAway, now] = [0, false, 0];
  const funnels = new Proxy(bed.collections.funnels, {
    get(target, name) {
      if (name !== 'findOne') return Reflect.get(target, name) as unknown;
      reads += 1;
      return isAway ? () => Promise.reject(new Error('away')) : target.findOne.bind(target);
    },
  });
  const { collections } = bed;
  const shown = createShownFunnels({
    collections: { funnels, funnelVersions: collections.funnelVersions },
    accountCache: createAccountCache(collections, createPlanStore(collections.plans), systemClock),
    clock: { monotonic: () => now },
  });
  const look = () => shown.bySlug(funnel.slug);
  const first = await look();
  expect(first).toMatchObject({ version: 1, isClosed: false });
  await Promise.all(Array.from({ length: 100 }, look));
  expect(reads).toBe(1);
  isAway = true;
  for (now of [600, 1_200]) expect(await look()).toBe(first);
  await expect(shown.bySlug('another')).rejects.toThrow('away');
  isAway = false;
  await collections.funnels.updateOne({ _id: funnel._id }, { $set: { status: 'unpublished' } });
  now = 1_800;
  expect(await look()).toMatchObject({ isClosed: true });
});
