import { describe, expect, it } from '@jest/globals';
import { compareAcceptance } from '../../../src/alerts/rules/acceptance.js';
import { findNearlyFull } from '../../../src/alerts/rules/nearlyFull.js';
import { isUsual, sameHoursBefore, spansSince } from '../../../src/alerts/rules/silence.js';
import { emptyCapState } from '../../../src/routing/rules/caps.js';
import { TEST_ZONE } from '../../support/org.js';

/** Nine in the evening of the 20th in New York. */
const NOW = new Date('2026-11-21T02:00:00Z');
const AT = { now: NOW, timeZone: TEST_ZONE };
const HOUR_MS = 3_600_000;
const hoursAgo = (hours: number): Date => new Date(Number(NOW) - hours * HOUR_MS);

describe('a limit', () => {
  const counted = (count: number, amount = 0) => ({
    ...emptyCapState(),
    day: { key: '2026-11-20', count, amount },
  });
  const found = (limits: object, count: number, amount = 0) =>
    findNearlyFull({ scope: 'buyer', limits, counters: counted(count, amount) }, AT);

  it.each([
    [39, []],
    [40, ['count:2026-11-20:50']],
    [50, ['count:2026-11-20:50']],
    [51, ['count:2026-11-20:50']],
  ])('of 50 a day is nearly full from 40 leads on: %d', (count, keys) => {
    expect(found({ daily_cap: 50 }, count).map(({ key }) => key)).toEqual(keys);
  });

  it('of money is shown in the currency, and another limit is another alert', () => {
    const [one] = found({ daily_budget: 100_000_000 }, 3, 80_000_000);
    expect(one).toEqual({
      window: 'day',
      of: 'budget',
      limit: 100,
      used: 80,
      left: 20,
      resets_at: new Date('2026-11-21T05:00:00Z'),
      key: 'budget:2026-11-20:100000000',
    });
    expect(found({ daily_budget: 101_000_000 }, 3, 80_000_000)).toEqual([]);
  });

  it('of 0, of another day, or with nothing counted is not', () => {
    expect(found({ daily_cap: 0 }, 0)).toEqual([]);
    const yesterday = { ...emptyCapState(), day: { key: '2026-11-19', count: 50, amount: 0 } };
    const limits = { daily_cap: 50 };
    expect(findNearlyFull({ scope: 'buyer', limits, counters: yesterday }, AT)).toEqual([]);
    expect(findNearlyFull({ scope: 'buyer', limits, counters: undefined }, AT)).toEqual([]);
  });

  it('that never resets has a key without a time', () => {
    const counters = { ...emptyCapState(), total: { key: 'total', count: 9, amount: 0 } };
    const [one] = findNearlyFull({ scope: 'campaign', limits: { total_cap: 10 }, counters }, AT);
    expect(one).toMatchObject({ key: 'count:total:10', resets_at: null });
  });
});

describe('a silent supplier', () => {
  it.each([
    [2.9, []],
    [3, [3]],
    [23.9, [3]],
    [24, [3, 24]],
  ])('is asked for the spans that its last lead is past: %d hours', (hours, spans) => {
    expect(spansSince(hoursAgo(hours), NOW)).toEqual(spans);
  });

  it('is compared with the same hours of four weeks, by a clock that was changed in between', () => {
    // On 2026-11-01 New York went back an hour: before, 18:00 to 21:00 there was an hour earlier in UTC.
    expect(sameHoursBefore(NOW, 3, TEST_ZONE).map(({ from, to }) => [from, to])).toEqual([
      [new Date('2026-11-13T23:00:00Z'), new Date('2026-11-14T02:00:00Z')],
      [new Date('2026-11-06T23:00:00Z'), new Date('2026-11-07T02:00:00Z')],
      [new Date('2026-10-30T22:00:00Z'), new Date('2026-10-31T01:00:00Z')],
      [new Date('2026-10-23T22:00:00Z'), new Date('2026-10-24T01:00:00Z')],
    ]);
  });

  it.each([
    [[5, 5, 5, 0], true],
    [[5, 5, 4, 4], false],
    [[5, 0, 0, 0], false],
    [[0, 5, 5, 5], true],
  ])('usually sends where three of four weeks had five leads: %j', (counts, usual) => {
    expect(isUsual(counts)).toBe(usual);
  });
});

describe('the acceptance of a campaign', () => {
  const usual = { decided: 1_000, sold: 500 };
  it.each([
    [{ decided: 49, sold: 0 }, usual, null],
    [{ decided: 50, sold: 0 }, { decided: 199, sold: 100 }, null],
    [{ decided: 50, sold: 0 }, { decided: 1_000, sold: 49 }, null],
    [{ decided: 100, sold: 24 }, usual, 'dropped'],
    [{ decided: 100, sold: 50 }, usual, 'normal'],
    [{ decided: 100, sold: 38 }, usual, 'normal'],
    [{ decided: 100, sold: 37 }, usual, 'between'],
    [{ decided: 100, sold: 26 }, usual, 'between'],
    // Below half of the usual, and no rarer than chance: 5 expected, 2 sold.
    [{ decided: 50, sold: 2 }, { decided: 1_000, sold: 100 }, 'between'],
    [{ decided: 1_000, sold: 40 }, { decided: 1_000, sold: 100 }, 'dropped'],
  ])('%j beside %j is %s', (today, before, state) => {
    expect(compareAcceptance(today, before)?.state ?? null).toBe(state);
  });
});
