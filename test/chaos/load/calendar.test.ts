import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { windowKeys } from '../../../src/fields/windowKeys.js';
import { isOpenAt, wallClock } from '../../../src/fields/schedule.js';
import { WEEKDAYS } from '../../../src/fields/days.js';
import {
  dayAt,
  hourAt,
  installCalendars,
  longerWindows,
  offsetOf,
  TURNS,
  zoneWithMidnight,
  zoneWithNextMidnight,
  type Turn,
} from './calendar.js';
import { midnightOf } from './midnight.js';

const AT = Date.parse('2026-11-21T12:34:56.789Z');
const SECOND = Date.parse('2026-11-21T12:34:56Z');

describe('the calendar of a run', () => {
  const native = Intl.DateTimeFormat;
  beforeAll(installCalendars);
  afterAll(() => {
    Intl.DateTimeFormat = native;
  });

  it.each<[Turn, boolean, boolean]>([
    ['day', false, false],
    ['week', true, false],
    ['month', false, true],
    ['week and month', true, true],
  ])(
    'has a %s begin at a chosen second, for the service and for the checker',
    (turn, week, month) => {
      const zone = zoneWithMidnight(AT, turn);
      const before = windowKeys(new Date(SECOND - 1), zone);
      const after = windowKeys(new Date(SECOND), zone);
      expect(after.day > before.day).toBe(true);
      expect(after.week !== before.week).toBe(week);
      expect(after.month !== before.month).toBe(month);
      for (const [at, keys] of [
        [SECOND - 1, before],
        [SECOND, after],
      ] as const) {
        const day = dayAt(at, zone);
        expect({ hour: hourAt(at, zone), day, ...longerWindows(day) }).toEqual(keys);
      }
      expect(wallClock(new Date(SECOND), zone)).toMatch(/00:00$/);
    },
  );

  it('has opening hours, and leaves real zones unchanged', () => {
    const zone = zoneWithNextMidnight(AT);
    const schedule = [{ days: [...WEEKDAYS], from: '00:00', to: '01:00' }];
    expect(isOpenAt(schedule, new Date(SECOND + 1_000), zone)).toBe(true);
    expect(isOpenAt(schedule, new Date(SECOND - 1_000), zone)).toBe(false);
    expect(windowKeys(new Date('2026-11-22T04:59:59Z'), 'America/New_York').day).toBe('2026-11-21');
    expect(windowKeys(new Date('2026-11-22T05:00:00Z'), 'America/New_York').day).toBe('2026-11-22');
    expect(new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone).toBe(zone);
    expect(() => new Intl.DateTimeFormat('en', { timeZone: 'Chaos/UTC+soon' })).toThrow(RangeError);
  });

  it('is at most half a day from UTC where any day will do', () => {
    for (let hour = 0; hour < 24; hour += 1) {
      const offset = offsetOf(zoneWithNextMidnight(AT + hour * 3_600_000)) ?? Infinity;
      expect(Math.abs(offset)).toBeLessThanOrEqual(12 * 3_600_000);
    }
  });
});

describe('the midnight of a run', () => {
  it('is the same for the same seed, and begins a day, week or month depending on the seed', () => {
    const seeds = Array.from({ length: 60 }, (_, n) => `seed ${n}`);
    const drawn = seeds.map((seed) => midnightOf({ seed, seconds: 45 }, AT).turn);
    expect(drawn).toEqual(seeds.map((seed) => midnightOf({ seed, seconds: 45 }, AT).turn));
    expect(new Set(drawn)).toEqual(new Set(TURNS));
  });

  it('comes within the first half of the faults, however long they go on', () => {
    for (const seconds of [20, 26, 45, 2_160]) {
      const { afterMs, at, timeZone } = midnightOf({ seed: 'a', seconds }, AT);
      expect(afterMs).toBeLessThanOrEqual(Math.max(10_000, seconds * 500));
      expect(dayAt(at - 1, timeZone)).not.toBe(dayAt(at, timeZone));
    }
  });

  it('is the next one in a long run, whose days are added up for reports', () => {
    const { timeZone, turn } = midnightOf({ seed: 'a', seconds: 2_160 }, AT);
    expect(turn).toBe('the next day');
    expect(Math.abs(offsetOf(timeZone) ?? Infinity)).toBeLessThanOrEqual(12 * 3_600_000);
  });
});
