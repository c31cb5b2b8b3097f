import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { limitsOn } from '../../../src/account/rules/capLimits.js';
import { windowKeys, type CountedKeys, type WindowKeys } from '../../../src/fields/windowKeys.js';
import {
  findFullCap,
  type CapCandidate,
  type CapState,
  type ReservationRef,
} from '../../../src/routing/rules/caps.js';
import { buyerCap, createCapStore, type CapStore } from '../../../src/routing/store/caps.js';
import { openDatabase, type TestDatabase } from '../../support/database.js';
import { capStateOf, countHistoriesAsModel, doAsModel } from './capsAsModel.js';

const saturday: WindowKeys = {
  hour: '2026-11-21T14:00:00Z',
  day: '2026-11-21',
  week: 'W2026-11-16',
  month: '2026-11',
};
const monday: WindowKeys = {
  hour: '2026-11-23T14:00:00Z',
  day: '2026-11-23',
  week: 'W2026-11-23',
  month: '2026-11',
};

const asking = (...ids: string[]): CapCandidate[] =>
  ids.map((hold_id) => ({ hold_id, fence: 1, amount: 10 }));
const refs = (...ids: string[]): ReservationRef[] => ids.map((hold_id) => ({ hold_id, fence: 1 }));

describe('caps', () => {
  let database: TestDatabase;
  let caps: CapStore;
  let links = 0;
  const aLink = () => buyerCap('campaign', `buyer-${++links}`);
  const stateOf = (id: string): Promise<CapState> => capStateOf(database.collections.caps, id);

  beforeAll(async () => {
    database = await openDatabase();
    caps = createCapStore(database.collections.caps);
  });
  afterAll(() => database.drop());

  it('grants, counts, commits, releases and adopts as the model does', async () => {
    await doAsModel(database.collections.caps, 20);
  });

  it('counts through the histories of leads as the model does, across midnight, Monday and the 1st', async () => {
    await countHistoriesAsModel(database.collections.caps, 15);
  });

  it.each([
    ['day', { daily_cap: 20 }],
    ['hour', { hourly_cap: 20 }],
    ['hour, in money', { hourly_budget: 200 }],
  ])(
    'grants exactly 20 reservations a %s to 96 concurrent candidates in 6 groups',
    async (_, limits) => {
      const id = aLink();
      const groups = Array.from({ length: 6 }, (_, group) =>
        asking(...Array.from({ length: 16 }, (_unused, n) => `${group}:${n}`)),
      );
      const grants = await Promise.all(
        groups.map((candidates) => caps.reserve({ id, limits, keys: saturday, candidates })),
      );
      const granted = grants.flatMap(({ held }) => [...held.keys()]);
      expect(granted).toHaveLength(20);
      expect(new Set(granted).size).toBe(20);
      const state = await stateOf(id);
      expect(state.day).toEqual({ key: saturday.day, count: 20, amount: 200 });
      expect(state.held).toHaveLength(20);
    },
  );

  it('passes no limit of an hour or a day when three processes, whose clocks differ, ask at its turn', async () => {
    const turn = Date.parse('2026-11-22T00:00:00Z');
    const maybe = (...caps: number[]) => fc.option(fc.constantFrom(...caps), { nil: null });
    const anyLimits = fc.record({
      hourly_cap: maybe(5, 9),
      hourly_budget: maybe(70),
      daily_cap: maybe(8),
      daily_caps: fc.record({ sat: maybe(0, 7, 12), sun: maybe(6, 10) }),
    });
    /** How far off each clock is, in seconds, and how many of its granted leads each process gives back. */
    const anyProcess = fc.record({
      off: fc.integer({ min: -3, max: 3 }),
      back: fc.nat({ max: 3 }),
    });
    const anyThree = fc.tuple(anyProcess, anyProcess, anyProcess);
    await fc.assert(
      fc.asyncProperty(anyLimits, anyThree, async (limits, processes) => {
        const id = aLink();
        const kept: CountedKeys[] = [];
        await Promise.all(
          processes.map(async ({ off, back }, process) => {
            const own = createCapStore(database.collections.caps);
            for (let second = -2; second < 3; second++) {
              const keys = windowKeys(new Date(turn + (second + off) * 1_000), 'UTC');
              const candidates = asking(...[1, 2, 3, 4].map((n) => `${process}:${second}:${n}`));
              const { held } = await own.reserve({ id, limits, keys, candidates });
              const granted = [...held.keys()];
              await own.release(id, refs(...granted.slice(0, back)));
              await own.commit(id, refs(...granted.slice(back)));
              kept.push(...granted.slice(back).flatMap((one) => held.get(one) ?? []));
            }
          }),
        );
        const counted = Map.groupBy(kept, ({ hour = '' }) => hour);
        const days = Map.groupBy(kept, ({ day }) => day);
        const state = await stateOf(id);
        expect(state.hour.count).toBe(counted.get(state.hour.key)?.length ?? 0);
        expect(state.day.count).toBe(days.get(state.day.key)?.length ?? 0);
        const hourly = Math.min(
          limits.hourly_cap ?? Infinity,
          (limits.hourly_budget ?? Infinity) / 10,
        );
        for (const { length } of counted.values()) expect(length).toBeLessThanOrEqual(hourly);
        for (const [day, { length }] of days)
          expect(length).toBeLessThanOrEqual(limitsOn(limits, day).daily_cap ?? Infinity);
      }),
      { numRuns: 15 },
    );
  });

  it('counts what an earlier release has stored in no hour, and never below 0', async () => {
    const id = aLink();
    const asEarlier = { $unset: { hour: true, 'held.$[].keys.hour': true } } as const;
    await caps.reserve({ id, limits: {}, keys: saturday, candidates: asking('a', 'b', 'c') });
    await database.collections.caps.updateOne({ _id: id }, asEarlier);
    const read = async () => (await caps.read([id])).get(id);
    expect(await read()).toMatchObject({ hour: { key: '', count: 0 }, day: { count: 3 } });
    await caps.release(id, refs('a'));
    await caps.commit(id, [{ hold_id: 'b', fence: 1, booked: 7 }]);
    await caps.adopt(id, [{ hold_id: 'd', fence: 1, amount: 10, keys: saturday }]);
    expect(await stateOf(id)).toMatchObject({
      hour: { key: '', count: 0, amount: 0 },
      day: { count: 2, amount: 17 },
    });
    const limits = { hourly_cap: 1, daily_cap: 9 };
    const again = [{ hold_id: 'c', fence: 2, amount: 10 }];
    const { held } = await caps.reserve({ id, limits, keys: saturday, candidates: again });
    expect(held).toEqual(new Map([['c', saturday]]));
    expect(await stateOf(id)).toMatchObject({
      hour: { key: saturday.hour, count: 1, amount: 10 },
      day: { count: 2, amount: 17 },
    });
    await caps.release(id, [{ hold_id: 'c', fence: 2 }]);
    expect(await stateOf(id)).toMatchObject({ hour: { count: 0, amount: 0 }, day: { count: 1 } });
  });

  it('keeps to the cap of the weekday that is open, whose clock ever is behind', async () => {
    const id = aLink();
    const limits = { daily_cap: 9, daily_caps: { sat: 0, mon: 2 } };
    const ask = async (keys: WindowKeys, ...ids: string[]) => {
      const request = { id, limits, keys, candidates: asking(...ids) };
      const { held, counters } = await caps.reserve(request);
      return { held: [...held.keys()], full: findFullCap(counters, limits, { amount: 10 }) };
    };
    const none = { held: [], full: { limit: 'daily_cap', allowed: 0, counted: 0, asks: 1 } };
    expect(await ask(saturday, 'a')).toEqual(none);
    expect((await ask(monday, 'b')).held).toEqual(['b']);
    expect((await ask(saturday, 'c', 'd')).held).toEqual(['c']);
    expect(await ask(monday, 'd')).toMatchObject({ held: [], full: { allowed: 2, counted: 2 } });
    expect((await stateOf(id)).day).toEqual({ key: monday.day, count: 2, amount: 20 });
  });

  it('grants all of a day without a cap beside days with one', async () => {
    const limits = { daily_caps: { sun: 1 } };
    const request = { id: aLink(), limits, keys: saturday, candidates: asking('a', 'b', 'c') };
    expect((await caps.reserve(request)).held.size).toBe(3);
  });

  it('never reopens an old window for a clock that is behind', async () => {
    const id = aLink();
    const limited = { daily_cap: 1 };
    const ask = async (keys: WindowKeys, hold_id: string) =>
      (await caps.reserve({ id, limits: limited, keys, candidates: asking(hold_id) })).held;
    expect([...(await ask(saturday, 'first')).keys()]).toEqual(['first']);
    expect([...(await ask(monday, 'second')).keys()]).toEqual(['second']);
    expect([...(await ask(saturday, 'late')).keys()]).toEqual([]);
    expect([...(await ask(monday, 'third')).keys()]).toEqual([]);
    expect((await stateOf(id)).day).toEqual({ key: monday.day, count: 1, amount: 10 });
  });

  it('counts a late clock in the open window, and reports that', async () => {
    const id = aLink();
    const limited = { daily_cap: 2 };
    await caps.reserve({ id, limits: limited, keys: monday, candidates: asking('in time') });
    const { held } = await caps.reserve({
      id,
      limits: limited,
      keys: saturday,
      candidates: asking('late'),
    });
    expect(held).toEqual(new Map([['late', monday]]));
    await caps.release(id, refs('late'));
    expect((await stateOf(id)).day).toEqual({ key: monday.day, count: 1, amount: 10 });
  });

  it('changes nothing when a reservation, a commit or a release is repeated', async () => {
    const id = aLink();
    const request = { id, limits: { daily_cap: 3 }, keys: saturday, candidates: asking('a', 'b') };
    const first = await caps.reserve(request);
    const reserved = await stateOf(id);
    expect(await caps.reserve(request)).toEqual(first);
    expect(await stateOf(id)).toEqual(reserved);

    await caps.release(id, refs('a'));
    const released = await stateOf(id);
    await caps.release(id, refs('a', 'nobody'));
    expect(await stateOf(id)).toEqual(released);
    expect(released.day.count).toBe(1);

    await caps.commit(id, refs('b'));
    const committed = await stateOf(id);
    await caps.commit(id, refs('b', 'nobody'));
    await caps.release(id, refs('b'));
    expect(await stateOf(id)).toEqual(committed);
    expect(committed).toMatchObject({ day: { count: 1 }, total: { count: 1 }, held: [] });
  });

  it('names the time of each hold by the clock of the database', async () => {
    const id = aLink();
    await caps.reserve({ id, limits: {}, keys: saturday, candidates: asking('a') });
    const doc = await database.collections.caps.findOne({ _id: id });
    expect(Math.abs(Number(doc?.held[0]?.at) - Date.now())).toBeLessThan(60_000);
  });

  it('does not change a link that was never counted', async () => {
    const id = aLink();
    await caps.commit(id, refs('a'));
    await caps.release(id, refs('a'));
    await caps.adopt(id, [{ hold_id: 'a', fence: 1, amount: 10, keys: saturday }]);
    expect(await database.collections.caps.findOne({ _id: id })).toBeNull();
  });

  it('reports a full cap as full, however many it holds', async () => {
    const id = aLink();
    const bounded = createCapStore(database.collections.caps, 1);
    const limited = { daily_cap: 2 };
    const { held, crowded } = await bounded.reserve({
      id,
      limits: limited,
      keys: saturday,
      candidates: asking('a', 'b'),
    });
    expect([[...held.keys()], [...crowded]]).toEqual([['a'], ['b']]);
    await bounded.adopt(id, [{ hold_id: 'waited', fence: 1, amount: 10, keys: saturday }]);
    const other = { ...limited, daily_cap: 1 };
    const full = await bounded.reserve({
      id,
      limits: other,
      keys: saturday,
      candidates: asking('b'),
    });
    expect([full.held.size, full.crowded.size]).toEqual([0, 0]);
    expect(findFullCap(full.counters, other, { amount: 10 })).toMatchObject({ limit: 'daily_cap' });
    expect((await stateOf(id)).held).toHaveLength(2);
  });

  it('moves a parked lead into the window in which it is sent, and counts it once', async () => {
    const id = aLink();
    const [sunday, monday] = ['2026-11-22', '2026-11-23'].map((day) =>
      windowKeys(new Date(day), 'UTC'),
    ) as [WindowKeys, WindowKeys];
    const slot = { hold_id: 'parked', fence: 1, amount: 10 };
    const limits = { daily_cap: 1, total_cap: 1 };
    await caps.reserve({ id, limits, keys: sunday, candidates: [slot] });
    await caps.commit(id, [slot]);
    const again = [{ ...slot, fence: 2, counted: sunday }];
    const { held } = await caps.reserve({ id, limits, keys: monday, candidates: again });
    expect(held).toEqual(new Map([['parked', monday]]));
    expect(await stateOf(id)).toMatchObject({
      day: { key: monday.day, count: 1 },
      week: { key: monday.week, count: 1 },
      total: { count: 1 },
    });
  });
});
