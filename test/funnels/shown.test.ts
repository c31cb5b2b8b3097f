/** Funnels for visitors are read from the database rarely, and served from memory while it cannot be read. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createAccountCache } from '../../src/account/access/accountCache.js';
import { createPlanStore } from '../../src/account/store/plans.js';
import { createShownFunnels } from '../../src/funnels/shown.js';
import { systemClock } from '../../src/lib/clock.js';
import { createAccount } from '../support/account.js';
import { TEST_ZONE } from '../support/org.js';
import { startServiceBed, type ServiceBed } from '../support/service.js';
import { aDefinition, openSite } from './support/visitors.js';

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
    ownOrigin: false,
  });
  const look = () => shown.bySlug(funnel.slug);
  const first = await look();
  expect(first).toMatchObject({ version: 1, isClosed: false, timeZone: TEST_ZONE });
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

it('shows neither code nor certificates that were published earlier, unless funnels have an origin of their own', async () => {
  const account = await createAccount(bed, { buyers: {} });
  const code = { id: 'code', type: 'custom_code', html: '<b>x</b>' } as const;
  const certificates = { trusted_form: true, jornaya_campaign_id: 'ABCD-1234' };
  const { blocks } = aDefinition();
  const definition = aDefinition({ blocks: [code, ...blocks], certificates });
  const { funnel } = await openSite(bed, '', { account }, definition);
  const { collections } = bed;
  const shownBy = (ownOrigin: boolean) =>
    createShownFunnels({
      collections,
      accountCache: createAccountCache(
        collections,
        createPlanStore(collections.plans),
        systemClock,
      ),
      clock: systemClock,
      ownOrigin,
    });
  for (const ownOrigin of [true, false]) {
    const shown = shownBy(ownOrigin);
    const live = await shown.bySlug(funnel.slug);
    const earlier = live && (await shown.atVersion({ ...live, version: 0 }, 1));
    for (const one of [live, earlier, await shown.draft(funnel._id)]) {
      const types = one?.definition.blocks.map(({ type }) => type);
      expect([ownOrigin, types?.includes('custom_code')]).toEqual([ownOrigin, ownOrigin]);
      expect(one?.definition.certificates).toEqual(
        ownOrigin ? certificates : { trusted_form: false, jornaya_campaign_id: null },
      );
    }
  }
});

it('shows nothing of a draft that never was published', async () => {
  const account = await createAccount(bed, { buyers: {} });
  const { funnel } = await openSite(bed, '', { account });
  const { collections } = bed;
  await collections.funnels.updateOne(
    { _id: funnel._id },
    { $set: { status: 'draft', published_version: null } },
  );
  const shown = createShownFunnels({
    collections,
    accountCache: createAccountCache(collections, createPlanStore(collections.plans), systemClock),
    clock: systemClock,
    ownOrigin: true,
  });
  expect(await shown.bySlug(funnel.slug)).toBeNull();
  expect(await shown.draft(funnel._id)).not.toBeNull();
});
