/** What is left of limits, and when each starts again, by the clock of the account. */
import { describe, expect, it } from '@jest/globals';
import { emptyCapState } from '../../../src/routing/rules/caps.js';
import { capsLeft, resetOf } from '../../../src/routing/rules/capsLeft.js';
import { TEST_ZONE } from '../../support/org.js';

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
