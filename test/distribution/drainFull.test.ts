/** Leads wait for a buyer with room while their supplier or campaign has none: checking them changes no counter. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sendBatch } from '../../src/distribution/drainBatch.js';
import { settleReservations } from '../../src/distribution/repair/reservations.js';
import { emptyCapState, type CapState } from '../../src/routing/rules/caps.js';
import { CAP_WINDOWS, type CapLimits, type CapScope } from '../../src/account/rules/capLimits.js';
import { windowKeys, type CountedKeys } from '../../src/fields/windowKeys.js';
import { countersOf } from '../../src/routing/store/capDocs.js';
import { buyerCap, campaignCap, supplierCap } from '../../src/routing/store/caps.js';
import { createQueueStore } from '../../src/deliveries/store/queue.js';
import { aSupplier } from '../support/builders.js';
import { openDatabase, type TestDatabase } from '../support/database.js';
import { screeningDeps } from './screeningDeps.js';
import { answers, leadWithTwoLeases } from './twoLeases.js';

const HOUR_MS = 3_600_000;
const LIMITED = { hourly_cap: 1, daily_cap: 1, weekly_cap: 5, total_cap: 9 };
const ZONE = 'America/New_York';
/** A Monday and a 1st at once: every window begins. */
const MIDNIGHT = new Date('2027-02-01T05:00:00Z');
const at = (ms: number): Date => new Date(Number(MIDNIGHT) + ms);
const evening = windowKeys(at(-HOUR_MS), ZONE);
const twoHoursBefore = windowKeys(at(-2 * HOUR_MS), ZONE);
const withoutHour: CountedKeys = { day: evening.day, week: evening.week, month: evening.month };
/** In the same week and month. */
const dayBefore = windowKeys(at(-25 * HOUR_MS), ZONE);

describe('a drain of a lead for which no cap but the buyer’s has room', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openDatabase();
  });
  afterAll(() => database.drop());

  /** Counted once in these windows. */
  const countedOnce = (keys: CountedKeys, amount = 10): CapState => ({
    ...emptyCapState(),
    ...Object.fromEntries(
      CAP_WINDOWS.map(({ window }) => [
        window,
        { key: window === 'total' ? 'all' : keys[window], count: 1, amount },
      ]),
    ),
  });

  /** A lead parked since `since`; the link of `full` has sold its one lead in the windows of `now`. */
  const aScene = async (
    full: 'supplier' | 'campaign',
    since: CountedKeys,
    now: Date,
    limits: CapLimits = LIMITED,
  ) => {
    const scene = await leadWithTwoLeases(database, { status: 'PENDING', run: null });
    const { plan, rowOf, collections } = scene;
    const caps = { [full]: limits };
    plan.caps = caps.campaign ?? {};
    plan.suppliers = { s1: aSupplier({ caps: caps.supplier ?? {} }) };
    await collections.plans.replaceOne({ _id: plan._id }, plan);
    const row = rowOf({
      buyer_id: 'first',
      state: 'parked',
      reserved: since,
      due_at: new Date(0),
      created_at: at(-HOUR_MS),
      expires_at: at(90 * 24 * HOUR_MS),
      cost: 0,
    });
    await collections.deliveries.insertOne(row);
    const ids: Record<CapScope, string> = {
      buyer: buyerCap(plan.campaign_id, 'first'),
      supplier: supplierCap(plan.campaign_id, 's1'),
      campaign: campaignCap(plan.campaign_id),
    };
    await collections.caps.insertMany([
      { _id: ids.buyer, ...countedOnce(since), held: [] },
      { _id: ids[full], ...countedOnce(windowKeys(now, ZONE)), held: [] },
    ]);
    let passed = 0;
    const clock = {
      now: () => new Date(Number(now) + passed),
      monotonic: () => performance.now(),
      random: () => 0.5,
    };
    const pass = (ms: number) => (passed += ms);
    const asked: string[] = [];
    const deps = { ...screeningDeps(database, answers(200, asked)), clock };
    const look = async () => {
      await collections.deliveries.updateOne({ _id: row._id }, { $set: { due_at: new Date(0) } });
      const destination = await collections.destinations.findOneAndUpdate(
        { _id: 'first' },
        { $set: { asked: [row._id] } },
        { upsert: true, returnDocument: 'after' },
      );
      return sendBatch('first', destination ?? undefined, {
        ...deps,
        collections,
        queue: createQueueStore(collections.deliveries),
        background: { add: () => undefined },
      });
    };
    const linkOf = (scope: CapScope) => collections.caps.findOne({ _id: ids[scope] });
    const countsOf = async (scope: CapScope) => {
      const link = await linkOf(scope);
      if (!link) return null;
      return Object.values(countersOf(link)).map(({ count, amount }) => [count, amount]);
    };
    return { ...scene, row, ids, look, pass, deps, asked, linkOf, countsOf };
  };

  const ONCE = [1, 10];
  const NONE = [0, 0];

  describe.each(['supplier', 'campaign'] as const)('whose %s is full', (full) => {
    it.each([
      ['in the next hour', twoHoursBefore, at(-HOUR_MS), [NONE, ONCE, ONCE, ONCE, ONCE]],
      [
        'parked by a release without hours',
        withoutHour,
        at(-HOUR_MS),
        [NONE, ONCE, ONCE, ONCE, ONCE],
      ],
      ['on the next day', dayBefore, at(-HOUR_MS), [NONE, NONE, ONCE, ONCE, ONCE]],
      [
        'after a midnight that begins week and month',
        evening,
        at(1),
        [NONE, NONE, NONE, NONE, ONCE],
      ],
    ])('does not change the caps of its buyer, %s', async (_when, since, now, counts) => {
      const { look, asked, rows, linkOf, countsOf } = await aScene(full, since, now);
      for (let looks = 0; looks < 3; looks++) expect(await look()).toMatchObject({ sent: 0 });
      expect(asked).toEqual([]);
      expect(await countsOf('buyer')).toEqual(counts);
      expect((await linkOf('buyer'))?.held).toEqual([]);
      expect(await rows()).toMatchObject([{ state: 'parked', reserved: since }]);
    });
  });

  it.each(['supplier', 'campaign'] as const)(
    'is looked at again after a minute, and sent in the next hour: the hour of its %s was full',
    async (full) => {
      const since = windowKeys(at(-3 * HOUR_MS), ZONE);
      const then = at(-2 * HOUR_MS);
      const { look, pass, rows, countsOf } = await aScene(full, since, then, { hourly_cap: 1 });
      expect(await look()).toMatchObject({ sent: 0 });
      expect(await rows()).toMatchObject([{ due_at: new Date(Number(then) + 60_000) }]);
      pass(HOUR_MS - 1);
      expect(await look()).toMatchObject({ sent: 0 });
      expect(await countsOf('buyer')).toEqual([NONE, ONCE, ONCE, ONCE, ONCE]);
      pass(1);
      expect(await look()).toMatchObject({ sent: 1 });
      expect(await rows()).toMatchObject([{ state: 'accepted', reserved: evening }]);
      expect([await countsOf('buyer'), (await countsOf(full))?.[0]]).toEqual([
        [ONCE, ONCE, ONCE, ONCE, ONCE],
        [1, full === 'supplier' ? 0 : 10],
      ]);
    },
  );

  it('is undone by reconcile when the check died before it delayed the lead', async () => {
    const { look, deps, row, rows, linkOf, countsOf, collections, lead } = await aScene(
      'supplier',
      dayBefore,
      at(-HOUR_MS),
    );
    const slot = { hold_id: row._id, fence: lead.takes + 1, amount: 10, counted: dayBefore };
    const id = (await linkOf('buyer'))?._id ?? '';
    await deps.caps.reserve({ id, limits: {}, keys: evening, candidates: [slot] });
    expect(await countsOf('buyer')).toEqual([ONCE, ONCE, ONCE, ONCE, ONCE]);
    await collections.caps.updateOne({ _id: id }, { $set: { 'held.0.at': new Date(0) } });
    await settleReservations({ collections, caps: deps.caps, clock: deps.clock });
    expect(await countsOf('buyer')).toEqual([NONE, NONE, ONCE, ONCE, ONCE]);
    expect(await linkOf('buyer')).toMatchObject({ held: [] });
    expect(await rows()).toMatchObject([{ state: 'parked', reserved: dayBefore }]);
    await look();
    expect(await countsOf('buyer')).toEqual([NONE, NONE, ONCE, ONCE, ONCE]);
  });
});
