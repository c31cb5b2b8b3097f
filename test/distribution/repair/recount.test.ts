import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { recount } from '../../../src/distribution/repair/counters.js';
import { emptyCapState, keyOf, type CapReservation } from '../../../src/routing/rules/caps.js';
import type { CapDoc } from '../../../src/routing/store/capDocs.js';
import { windowKeys, type WindowKeys } from '../../../src/fields/windowKeys.js';
import type { DeliveryDoc } from '../../../src/deliveries/store/deliveryDoc.js';
import { aRow } from '../../support/storedRows.js';
import { openDatabase, type TestDatabase } from '../../support/database.js';
import { quietLog } from '../../support/quietLog.js';

const NOW = new Date('2026-11-21T12:00:00Z');
const KEYS = windowKeys(NOW, 'UTC');
const ID = 'buyer:campaign:buyer';
/** The time of each read of the rows, by the clock of these tests. */
const TOOK_MS = 40;
const REST_MS = 500 * TOOK_MS;

describe('counters compared with the rows', () => {
  let database: TestDatabase;
  let now: number;
  beforeEach(async () => {
    database = await openDatabase();
    now = Number(NOW);
    await database.collections.deliveries.insertOne(aRow({ state: 'accepted', reserved: KEYS }));
  });
  afterEach(() => database.drop());

  const counted = (count: number) =>
    database.collections.caps.insertOne({
      _id: ID,
      ...emptyCapState(),
      held: [],
      day: { key: KEYS.day, count, amount: 10 * count },
      total: { key: '', count, amount: 10 * count },
    });
  const look = () => {
    let ms = 0;
    const clock = { now: () => new Date(now), monotonic: () => (ms += TOOK_MS), random: () => 0 };
    return recount({ collections: database.collections, clock, log: quietLog });
  };
  const stored = () => database.collections.caps.findOne({ _id: ID });

  it.each([
    ['right', 1],
    ['wrong', 3],
  ])('pause in proportion to the time of the check when they are %s', async (_name, count) => {
    await counted(count);
    expect(await look()).toBe(0);
    expect((await stored())?.recount_at).toEqual(new Date(now + REST_MS));
  });

  it('are corrected by the second check, after the pause', async () => {
    await counted(3);
    expect(await look()).toBe(0);
    now += REST_MS - 1;
    expect(await look()).toBe(0);
    expect(await stored()).toMatchObject({ day: { count: 3 }, drift: { count: -2, amount: -20 } });
    now += 1;
    expect(await look()).toBe(1);
    const one = { count: 1, amount: 10 };
    expect(await stored()).toMatchObject({ day: one, total: one, drift: null });
    expect((await stored())?.recount_at).toEqual(new Date(now + REST_MS));
  });

  it('are corrected although those of another link cannot be compared, which rests', async () => {
    await counted(3);
    const broken = { ...emptyCapState(), _id: 'buyer:broken:buyer', held: [], week: null };
    await database.collections.caps.insertOne(broken as unknown as CapDoc);
    expect(await look()).toBe(0);
    const [link] = await database.collections.caps.find({ _id: broken._id }).toArray();
    expect(Number(link?.recount_at)).toBeGreaterThan(now + 10 * REST_MS);
    now += REST_MS;
    expect(await look()).toBe(1);
    expect(await stored()).toMatchObject({ day: { count: 1, amount: 10 } });
  });

  describe('in every window', () => {
    const at = (day: string) => windowKeys(new Date(day), 'UTC');
    /** In the same week, in the same month, and in neither; the week spans two months. */
    const [monday, before] = [at('2026-12-28'), at('2026-11-30')];
    const [newYear, saturday, sunday] = [at('2027-01-01'), at('2027-01-02'), at('2027-01-03')];
    const rows = (...own: Partial<DeliveryDoc>[]) =>
      database.collections.deliveries.insertMany(
        own.map((row) => aRow({ campaign_id: 'c', state: 'accepted', ...row })),
      );
    const LONGER = ['day', 'week', 'month', 'total'] as const;
    /** A link with these counts in the day, the week, the month and in total, at 10 each. */
    const link = (
      _id: string,
      keys: WindowKeys,
      counts: readonly number[],
      held: CapReservation[] = [],
    ) =>
      database.collections.caps.insertOne({
        _id,
        ...emptyCapState(),
        held: held.map((hold) => ({ ...hold, at: NOW })),
        ...Object.fromEntries(
          LONGER.map((window, n) => {
            const count = counts[n] ?? 0;
            return [window, { key: keyOf(keys, window), count, amount: 10 * count }];
          }),
        ),
      });
    const countsOf = async (_id: string) => {
      const found = await database.collections.caps.findOne({ _id });
      return LONGER.map((window) => [found?.[window].count, found?.[window].amount]);
    };
    const lookTwice = async () => {
      await look();
      now += 10 * REST_MS;
      return look();
    };

    it.each([
      ['too little in the longer ones, and right in the day', [1, -2, 0, 4]],
      ['too much in the longer ones, and right in the day', [1, 7, 3, 9]],
      ['otherwise wrong in each', [4, 1, 9, 2]],
    ])('are corrected when they count %s', async (_name, counts) => {
      await rows(
        ...[sunday, newYear, monday, before].map((reserved) => ({ reserved })),
        { reserved: sunday, state: 'rejected' },
        { reserved: sunday, buyer_id: 'another' },
        { reserved: newYear, state: 'parked', price: 5 },
      );
      const id = 'buyer:c:buyer';
      await link(id, sunday, counts);
      expect(await lookTwice()).toBe(1);
      const [day, week, month, total] = await countsOf(id);
      expect({ day, week, month, total }).toEqual({
        day: [1, 10],
        week: [4, 35],
        month: [3, 25],
        total: [5, 45],
      });
    });

    it('count too little in the hour, which is raised; what they count too much in it ends with it', async () => {
      const [nine, ten] = [at('2027-01-03T09:30:00Z'), at('2027-01-03T10:30:00Z')];
      const { day, week, month } = ten;
      await rows(...[nine, ten, ten, { day, week, month }].map((reserved) => ({ reserved })));
      const id = 'buyer:c:buyer';
      const setHour = (count: number) =>
        database.collections.caps.updateOne(
          { _id: id },
          { $set: { hour: { key: ten.hour, count, amount: 10 * count } } },
        );
      await link(id, ten, [4, 4, 4, 4]);
      expect(await lookTwice()).toBe(0);
      await setHour(1);
      now += 10 * REST_MS;
      expect(await lookTwice()).toBe(1);
      const hourOf = async () => (await database.collections.caps.findOne({ _id: id }))?.hour;
      expect(await hourOf()).toEqual({ key: ten.hour, count: 2, amount: 20 });
      expect(await countsOf(id)).toEqual(Array.from({ length: 4 }, () => [4, 40]));
      await setHour(3);
      now += 10 * REST_MS;
      expect(await lookTwice()).toBe(0);
      expect(await hourOf()).toEqual({ key: ten.hour, count: 3, amount: 30 });
    });

    it('are corrected where an earlier release has counted no hours', async () => {
      await rows({ reserved: sunday });
      await link('buyer:c:buyer', sunday, [2, 2, 2, 2]);
      await database.collections.caps.updateOne(
        { _id: 'buyer:c:buyer' },
        { $unset: { hour: true } },
      );
      expect(await lookTwice()).toBe(1);
      expect(await countsOf('buyer:c:buyer')).toEqual(Array.from({ length: 4 }, () => [1, 10]));
    });

    it('are those of supplier and campaign when a row names them separately', async () => {
      const late = { reserved: newYear, reserved_apart: { supplier: saturday } };
      const early = { reserved: saturday, reserved_apart: { campaign: newYear } };
      const further = { reserved: saturday, further: true as const, cost: 3 };
      await rows(late, early, further);
      await link('supplier:c:supplier', saturday, []);
      await link('campaign:c', saturday, []);
      expect(await lookTwice()).toBe(2);
      const [day] = await countsOf('supplier:c:supplier');
      expect(day).toEqual([2, 11]);
      expect(await countsOf('campaign:c')).toEqual([
        [0, 10],
        [2, 30],
        [2, 30],
        [2, 30],
      ]);
    });

    it('count reservations in their own windows, and not in those of the row', async () => {
      const row = aRow({ campaign_id: 'c', reserved: before, state: 'parked' });
      await rows(row);
      const id = 'buyer:c:buyer';
      const hold: CapReservation = {
        hold_id: row._id,
        fence: 2,
        amount: 10,
        leads: 1,
        keys: sunday,
      };
      await link(id, sunday, [0, 0, 0, 3], [hold]);
      expect(await lookTwice()).toBe(1);
      expect(await countsOf(id)).toEqual(Array.from({ length: 4 }, () => [1, 10]));
    });

    it.each([
      ['an earlier run', { fence: 1, takers: [1] }],
      ['a later run', { fence: 3, takers: [3] }],
    ])('count a row and the reservation that %s made in addition to it', async (_whose, taken) => {
      const row = aRow({ campaign_id: 'c', reserved: sunday, state: 'parked', fence: 2 });
      await rows(row);
      const id = 'buyer:c:buyer';
      const hold: CapReservation = {
        hold_id: row._id,
        ...taken,
        amount: 10,
        leads: 1,
        keys: sunday,
      };
      await link(id, sunday, [2, 2, 2, 2], [hold]);
      expect(await lookTwice()).toBe(0);
      expect(await countsOf(id)).toEqual(Array.from({ length: 4 }, () => [2, 20]));
    });
  });
});
