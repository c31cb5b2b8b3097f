import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { useWindow, useWindowTimes } from '../../../src/platform/rateLimits/store/windows.js';
import { openDatabase, type TestDatabase } from '../../support/database.js';

const LIMITS = { all: 10, writes: 2, windowMs: 60_000 };

describe('a window of uses', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openDatabase();
  });
  afterAll(() => database.drop());
  const times = (key: string, count: number) =>
    useWindowTimes(database.collections.windows, key, LIMITS, count);

  it('counts several uses as if they came one after the other', async () => {
    const first = await times('several', 4);
    expect(first.map(({ allowed, left }) => [allowed, left])).toEqual([
      [true, 9],
      [true, 8],
      [true, 7],
      [true, 6],
    ]);
    const next = await useWindow(database.collections.windows, 'several', LIMITS, true);
    expect(next).toMatchObject({ allowed: true, kind: 'writes', left: 1 });
    expect(await times('several', 1)).toMatchObject([{ allowed: true, kind: 'all', left: 4 }]);
  });

  it('allows the first of them where there is no room for all', async () => {
    await times('full', 8);
    const uses = await times('full', 4);
    expect(uses.map(({ allowed, left }) => [allowed, left])).toEqual([
      [true, 1],
      [true, 0],
      [false, 0],
      [false, 0],
    ]);
    expect(uses.at(-1)?.resetMs).toBeGreaterThan(0);
  });

  it('lets no more pass than the limit, however many come in groups at once', async () => {
    const groups = await Promise.all([3, 5, 1, 4, 2].map((count) => times('at once', count)));
    expect(groups.flat().filter(({ allowed }) => allowed)).toHaveLength(LIMITS.all);
  });
});
