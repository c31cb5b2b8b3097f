/** The maximum of reservations of a link, and requests beyond it. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  emptyCapState,
  findFullCap,
  type CapCandidate,
  type CapState,
  type ReservationRef,
} from '../../../src/routing/rules/caps.js';
import type { WindowKeys } from '../../../src/fields/windowKeys.js';
import { buyerCap, createCapStore } from '../../../src/routing/store/caps.js';
import { openDatabase, type TestDatabase } from '../../support/database.js';

const saturday: WindowKeys = { day: '2026-11-21', week: 'W2026-11-16', month: '2026-11' };
const asking = (...ids: string[]): CapCandidate[] =>
  ids.map((hold_id) => ({ hold_id, fence: 1, amount: 10 }));
const refs = (...ids: string[]): ReservationRef[] => ids.map((hold_id) => ({ hold_id, fence: 1 }));

describe('a link', () => {
  let database: TestDatabase;
  let links = 0;
  const aLink = () => buyerCap('campaign', `buyer-${++links}`);
  const stateOf = async (id: string): Promise<CapState> =>
    (await database.collections.caps.findOne({ _id: id })) ?? emptyCapState();

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
});
