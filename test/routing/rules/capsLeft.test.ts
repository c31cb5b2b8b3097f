/** What is left of limits, and when each starts again, by the clock of the account. */
import { describe, expect, it } from '@jest/globals';
import { emptyCapState, type Counters } from '../../../src/routing/rules/caps.js';
import { capsLeft } from '../../../src/routing/rules/capsLeft.js';
import { resetOf } from '../../../src/routing/rules/capUsage.js';
import { TEST_ZONE } from '../../support/org.js';

/** Tuesday, 1 December, at 21:00 in New York; Wednesday in UTC. */
const AT = { now: new Date('2026-12-02T02:00:00Z'), timeZone: 'America/New_York' };

const counted = (keys: Partial<Record<keyof Counters, string>>): Counters => {
  const of = (window: keyof Counters, count: number) => ({
    key: keys[window] ?? '',
    count,
    amount: count * 100,
  });
  return {
    hour: of('hour', 1),
    day: of('day', 3),
    week: of('week', 5),
    month: of('month', 7),
    total: of('total', 9),
  };
};
const OPEN = {
  hour: '2026-12-02T02:00:00Z',
  day: '2026-12-01',
  week: 'W2026-11-30',
  month: '2026-12',
  total: 'all',
};

describe('what is left of caps and budgets', () => {
  it('is each limit that is set, the shortest window first, leads before money', () => {
    const limits = { total_cap: 10, monthly_budget: 1_000, daily_budget: 400, daily_cap: 5 };
    const day = new Date('2026-12-02T05:00:00Z');
    const month = new Date('2027-01-01T05:00:00Z');
    expect(capsLeft({ ...limits, weekly_cap: null }, counted(OPEN), AT)).toEqual([
      { window: 'day', of: 'count', limit: 5, used: 3, left: 2, resets_at: day },
      { window: 'day', of: 'budget', limit: 400, used: 300, left: 100, resets_at: day },
      { window: 'month', of: 'budget', limit: 1_000, used: 700, left: 300, resets_at: month },
      { window: 'total', of: 'count', limit: 10, used: 9, left: 1, resets_at: null },
    ]);
  });

  it('is that of the weekday, by the day that is open', () => {
    const limits = { daily_cap: 5, daily_caps: { tue: 8, wed: 3 } };
    const left = (own: object, counters?: Counters) =>
      capsLeft({ ...limits, ...own }, counters, AT).map((one) => [one.limit, one.used, one.left]);
    expect(left({})).toEqual([[8, 0, 8]]);
    expect(left({}, counted(OPEN))).toEqual([[8, 3, 5]]);
    expect(left({ daily_caps: { wed: 3 } }, counted(OPEN))).toEqual([[5, 3, 2]]);
    expect(left({}, counted({ ...OPEN, day: '2026-12-02' }))).toEqual([[3, 3, 0]]);
    expect(left({ daily_cap: null, daily_caps: { wed: 3 } }, counted(OPEN))).toEqual([]);
  });

  it('is never below 0, and a limit of 0 is one', () => {
    expect(capsLeft({ weekly_cap: 4, daily_cap: 0 }, counted(OPEN), AT)).toMatchObject([
      { window: 'day', limit: 0, used: 3, left: 0 },
      { window: 'week', limit: 4, used: 5, left: 0 },
    ]);
  });

  it('is all of a window in which nothing was counted since it began', () => {
    const before = {
      ...OPEN,
      hour: '2026-12-02T01:00:00Z',
      day: '2026-11-30',
      week: 'W2026-11-23',
      month: '2026-11',
    };
    const others = { weekly_budget: 600, monthly_cap: 8, total_budget: 1_000 };
    const limits = { hourly_cap: 2, daily_cap: 5, ...others };
    const left = (counters?: Counters) => capsLeft(limits, counters, AT).map((one) => one.left);
    expect(left(counted(before))).toEqual([2, 5, 600, 8, 100]);
    expect(left(counted(OPEN))).toEqual([1, 2, 100, 1, 100]);
    expect(left()).toEqual([2, 5, 600, 8, 1_000]);
  });

  it('counts what a process whose clock is ahead has counted in the next window', () => {
    expect(capsLeft({ daily_cap: 5 }, counted({ ...OPEN, day: '2026-12-02' }), AT)).toMatchObject([
      { used: 3, left: 2 },
    ]);
  });
});

describe('the end of a window', () => {
  it.each([
    ['hour', '2026-12-02T03:00:00Z'],
    ['day', '2026-12-02T05:00:00Z'],
    ['week', '2026-12-07T05:00:00Z'],
    ['month', '2027-01-01T05:00:00Z'],
  ] as const)(
    'is the full hour or the midnight after the %s, in the time zone of the account',
    (window, end) => {
      expect(resetOf(window, AT.now, AT.timeZone)).toEqual(new Date(end));
    },
  );

  it('is the 1st after a month of any length, and never for the total', () => {
    const resets = (now: string) => resetOf('month', new Date(now), 'UTC')?.toISOString();
    expect(resets('2026-02-01T00:00:00Z')).toBe('2026-03-01T00:00:00.000Z');
    expect(resets('2026-01-31T23:00:00Z')).toBe('2026-02-01T00:00:00.000Z');
    expect(resetOf('total', AT.now, 'UTC')).toBeNull();
  });
});

/** In New York, 22:00 on Sunday, the last of May. */
const EVENING = new Date('2026-06-01T02:00:00Z');

describe('the windows of caps', () => {
  it.each([
    ['an evening', EVENING, ['2026-06-01T04:00Z', '2026-06-01T04:00Z', '2026-06-01T04:00Z']],
    [
      'a day of 23 hours',
      new Date('2026-03-08T05:00:00Z'),
      ['2026-03-09T04:00Z', '2026-03-09T04:00Z', '2026-04-01T04:00Z'],
    ],
    [
      'a day of 25 hours',
      new Date('2026-11-02T04:59:59Z'),
      ['2026-11-02T05:00Z', '2026-11-02T05:00Z', '2026-12-01T05:00Z'],
    ],
  ])('start again at a midnight of the account: on %s', (_day, now, times) => {
    const resets = (['day', 'week', 'month'] as const).map((one) => resetOf(one, now, TEST_ZONE));
    expect(resets).toEqual(times.map((time) => new Date(time)));
    expect(resetOf('total', now, TEST_ZONE)).toBeNull();
  });

  it('hold what was counted in the windows of now, and nothing of those that are over', () => {
    const count = (key: string) => ({ key, count: 3, amount: 30e6 });
    const counted = {
      ...emptyCapState(),
      day: count('2026-05-31'),
      week: count('W2026-05-18'),
      month: count('2026-05'),
      total: count('all'),
    };
    const limits = { daily_cap: 5, weekly_cap: 5, monthly_budget: 20e6, total_cap: 5 };
    const left = capsLeft(limits, counted, { now: EVENING, timeZone: TEST_ZONE });
    expect(left.map(({ window, of, used, left }) => [window, of, used, left])).toEqual([
      ['day', 'count', 3, 2],
      ['week', 'count', 0, 5],
      ['month', 'budget', 30e6, 0],
      ['total', 'count', 3, 2],
    ]);
  });
});
