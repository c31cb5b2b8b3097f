import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recount } from '../../activities/reconcile/counters.js';
import { emptyCapState } from '../../src/domain/caps.js';
import { windowKeys } from '../../src/domain/windowKeys.js';
import { aRow } from '../store/builders.js';
import { openDatabase, type TestDatabase } from '../store/database.js';

const NOW = new Date('2026-11-21T12:00:00Z');
const KEYS = windowKeys(NOW, 'UTC');
const ID = 'buyer:campaign:buyer';
/** What each look at the rows takes by the clock of these tests. */
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
      ...{
        _id: ID,
        ...emptyCapState(),
        held: [],
        day: { key: KEYS.day, count, amount: 10 * count },
      },
      total: { key: '', count, amount: 10 * count },
    });
  const look = () => {
    let ms = 0;
    const clock = { now: () => new Date(now), monotonic: () => (ms += TOOK_MS), random: () => 0 };
    return recount({ collections: database.collections, clock });
  };
  const stored = () => database.collections.caps.findOne({ _id: ID });

  it.each([
    ['right', 1],
    ['wrong', 3],
  ])('rest in proportion to what the look took when they are %s', async (_name, count) => {
    await counted(count);
    expect(await look()).toBe(0);
    expect((await stored())?.recount_at).toEqual(new Date(now + REST_MS));
  });

  it('are corrected by the second look, which comes after the rest', async () => {
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
});
