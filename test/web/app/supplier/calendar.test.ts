import { describe, expect, it } from '@jest/globals';
import {
  daysBefore,
  daysIn,
  isDay,
  startOfDay,
  todayIn,
} from '../../../../src/web/app/supplier/calendar.js';

describe("the calendar of a supplier's portal", () => {
  it.each([
    ['UTC', '2026-03-01T00:30:00Z', '2026-03-01'],
    ['America/New_York', '2026-03-01T04:59:59Z', '2026-02-28'],
    ['America/New_York', '2026-03-01T05:00:00Z', '2026-03-01'],
    ['Pacific/Kiritimati', '2026-03-01T10:00:00Z', '2026-03-02'],
    ['Pacific/Pago_Pago', '2026-01-01T10:59:59Z', '2025-12-31'],
  ])('gives the day that clocks in %s show at %s', (zone, now, day) => {
    expect(todayIn(zone, new Date(now))).toBe(day);
  });

  it.each([
    ['2026-03-01', 1, '2026-02-28'],
    ['2028-03-01', 1, '2028-02-29'],
    ['2026-01-01', 1, '2025-12-31'],
    ['2026-03-30', 29, '2026-03-01'],
    ['2026-12-31', -1, '2027-01-01'],
    ['2026-07-04', 0, '2026-07-04'],
  ])('counts back from %s by %d days', (day, count, wanted) => {
    expect(daysBefore(day, count)).toBe(wanted);
  });

  it.each([
    ['2026-03-01', '2026-03-01', 1],
    ['2026-02-25', '2026-03-03', 7],
    // The clocks change twice in between: each day still counts once.
    ['2026-01-01', '2026-12-31', 365],
    ['2028-02-28', '2028-03-01', 3],
    ['2026-03-02', '2026-03-01', 0],
  ])('counts the days from %s to %s, both of them', (from, to, count) => {
    expect(daysIn(from, to)).toBe(count);
  });

  it.each([
    ['2026-11-26', true],
    ['2028-02-29', true],
    ['1999-12-31', true],
    ['2026-02-29', false],
    ['2026-02-30', false],
    ['2026-13-01', false],
    ['0002-11-26', false],
    ['0202-11-26', false],
    ['9999-12-31', false],
    ['275760-09-13', false],
    ['garbage', false],
    ['', false],
    [undefined, false],
  ])('tells whether %p is a day: %p', (text, is) => {
    expect(isDay(text)).toBe(is);
  });

  describe('finds the instant at which a day begins', () => {
    it.each([
      ['in UTC', 'UTC', '2026-07-04', '2026-07-04T00:00:00.000Z'],
      ['west of Greenwich', 'America/New_York', '2026-07-04', '2026-07-04T04:00:00.000Z'],
      ['east of Greenwich', 'Asia/Kolkata', '2026-07-04', '2026-07-03T18:30:00.000Z'],
      [
        'on the day that clocks go forward',
        'America/New_York',
        '2026-03-08',
        '2026-03-08T05:00:00.000Z',
      ],
      ['on the day after', 'America/New_York', '2026-03-09', '2026-03-09T04:00:00.000Z'],
      [
        'on the day that clocks go back',
        'America/New_York',
        '2026-11-01',
        '2026-11-01T04:00:00.000Z',
      ],
      [
        'where clocks go back east of Greenwich',
        'Europe/Berlin',
        '2026-10-25',
        '2026-10-24T22:00:00.000Z',
      ],
      ['at the first of two midnights', 'America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z'],
      [
        'that has no midnight, in the west',
        'America/Santiago',
        '2026-09-06',
        '2026-09-06T04:00:00.000Z',
      ],
      [
        'that has no midnight, in the east',
        'Asia/Beirut',
        '2026-03-29',
        '2026-03-28T22:00:00.000Z',
      ],
    ])('%s', (_where, zone, day, instant) => {
      expect(startOfDay(day, zone)).toBe(instant);
      expect(todayIn(zone, new Date(instant))).toBe(day);
      expect(todayIn(zone, new Date(Date.parse(instant) - 1))).toBe(daysBefore(day, 1));
    });
  });
});
