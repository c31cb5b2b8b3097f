/** Counters of links with many concurrent requests, and in many random histories. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type CapCandidate,
  type CapState,
  type ReservationRef,
} from '../../../src/routing/rules/caps.js';
import type { WindowKeys } from '../../../src/fields/windowKeys.js';
import { buyerCap, createCapStore } from '../../../src/routing/store/caps.js';
import { capStateOf, countHistoriesAsModel, doAsModel } from '../../routing/store/capsAsModel.js';
import { openDatabase, type TestDatabase } from '../../support/database.js';

const saturday: WindowKeys = {
  hour: '2026-11-21T14:00:00Z',
  day: '2026-11-21',
  week: 'W2026-11-16',
  month: '2026-11',
};
const asking = (...ids: string[]): CapCandidate[] =>
  ids.map((hold_id) => ({ hold_id, fence: 1, amount: 10 }));
const refs = (...ids: string[]): ReservationRef[] => ids.map((hold_id) => ({ hold_id, fence: 1 }));

describe('a link', () => {
  let database: TestDatabase;
  let links = 0;
  const aLink = () => buyerCap('campaign', `buyer-${++links}`);
  const stateOf = (id: string): Promise<CapState> => capStateOf(database.collections.caps, id);

  beforeAll(async () => {
    database = await openDatabase();
  });
  afterAll(() => database.drop());

  it('holds at most its maximum of 1,008 concurrent reservations, and counts none of the others', async () => {
    const id = aLink();
    const bounded = createCapStore(database.collections.caps, 100);
    const groups = Array.from({ length: 21 }, (_, group) =>
      asking(...Array.from({ length: 48 }, (_unused, n) => `${group}:${n}`)),
    );
    const ask = (candidates: CapCandidate[]) =>
      bounded.reserve({ id, limits: { daily_cap: 2_000 }, keys: saturday, candidates });
    const grants = await Promise.all(groups.map(ask));
    const granted = grants.flatMap(({ held }) => [...held.keys()]);
    const crowded = grants.flatMap((one) => [...one.crowded]);
    expect([granted.length, crowded.length]).toEqual([100, 908]);
    expect(new Set([...granted, ...crowded]).size).toBe(1_008);
    const state = await stateOf(id);
    expect(state.day).toEqual({ key: saturday.day, count: 100, amount: 1_000 });
    expect(state.held).toHaveLength(100);

    // A later run takes over a reservation, and an ended one leaves room.
    const [taken = '', sold = ''] = granted;
    const later = await ask([{ hold_id: taken, fence: 2, amount: 10 }]);
    expect([...later.held.keys()]).toEqual([taken]);
    await bounded.commit(id, refs(sold));
    const [next = '', last = ''] = crowded;
    const again = await ask(asking(next, last));
    expect({ held: [...again.held.keys()], crowded: [...again.crowded] }).toEqual({
      held: [next],
      crowded: [last],
    });
    expect((await stateOf(id)).day.count).toBe(101);
  });

  it('grants exactly 100 reservations to 1,008 concurrent candidates in 21 groups', async () => {
    const id = aLink();
    const caps = createCapStore(database.collections.caps);
    const groups = Array.from({ length: 21 }, (_, group) =>
      asking(...Array.from({ length: 48 }, (_unused, n) => `${group}:${n}`)),
    );
    const grants = await Promise.all(
      groups.map((candidates) =>
        caps.reserve({ id, limits: { daily_cap: 100 }, keys: saturday, candidates }),
      ),
    );
    const granted = grants.flatMap(({ held }) => [...held.keys()]);
    expect(granted).toHaveLength(100);
    expect(new Set(granted).size).toBe(100);
    const state = await stateOf(id);
    expect(state.day).toEqual({ key: saturday.day, count: 100, amount: 1_000 });
    expect(state.held).toHaveLength(100);
  });

  it('grants, counts, commits, releases and adopts as the model does', async () => {
    await doAsModel(database.collections.caps, 100);
  }, 120_000);

  it('counts through the histories of leads as the model does, across midnight, Monday and the 1st', async () => {
    await countHistoriesAsModel(database.collections.caps, 100);
  }, 120_000);
});
