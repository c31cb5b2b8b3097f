import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { dayAfter, daysBetween, endOfHour, startOfDay } from '../../src/fields/days.js';
import { windowKeys } from '../../src/fields/windowKeys.js';

const hours = (day: string, zone: string): number =>
  (Number(startOfDay(dayAfter(day), zone)) - Number(startOfDay(day, zone))) / 3_600_000;

describe('a day of the account', () => {
  it.each([
    ['2026-11-21', 'UTC', '2026-11-21T00:00:00.000Z', 24],
    ['2026-11-21', 'Pacific/Kiritimati', '2026-11-20T10:00:00.000Z', 24],
    ['2026-11-21', 'Asia/Kathmandu', '2026-11-20T18:15:00.000Z', 24],
    // The clock skips an hour, or repeats one.
    ['2026-03-08', 'America/New_York', '2026-03-08T05:00:00.000Z', 23],
    ['2026-11-01', 'America/New_York', '2026-11-01T04:00:00.000Z', 25],
    // The clock skips midnight, or repeats it.
    ['2026-03-29', 'Asia/Beirut', '2026-03-28T22:00:00.000Z', 23],
    ['2026-11-01', 'America/Havana', '2026-11-01T04:00:00.000Z', 25],
    // The calendar skips a whole day.
    ['2011-12-30', 'Pacific/Apia', '2011-12-30T10:00:00.000Z', 0],
  ])('%s in %s begins at %s and has %s hours', (day, zone, start, length) => {
    expect(startOfDay(day, zone).toISOString()).toBe(start);
    expect(hours(day, zone)).toBe(length);
  });

  it('contains exactly the instants that caps count on it', () => {
    const zones = fc.constantFrom('America/Chicago', 'Europe/Lisbon', 'Asia/Beirut', 'Asia/Tehran');
    const instants = fc.date({ min: new Date('2015-01-01'), max: new Date('2030-01-01') });
    fc.assert(
      fc.property(
        zones,
        instants.filter((at) => !Number.isNaN(Number(at))),
        (zone, at) => {
          const { day } = windowKeys(at, zone);
          expect(startOfDay(day, zone) <= at).toBe(true);
          expect(at < startOfDay(dayAfter(day), zone)).toBe(true);
        },
      ),
    );
  });

  it('is followed by the next, over months and leap years', () => {
    expect(['2026-12-31', '2028-02-28', '2026-02-28'].map((day) => dayAfter(day))).toEqual([
      '2027-01-01',
      '2028-02-29',
      '2026-03-01',
    ]);
  });

  it('is a number of days from another', () => {
    expect(dayAfter('2024-03-01', -1)).toBe('2024-02-29');
    expect(dayAfter('2026-12-31', 31)).toBe('2027-01-31');
    expect(daysBetween('2026-01-01', '2026-01-31')).toBe(31);
    expect(daysBetween('2026-03-01', '2026-03-31')).toBe(31);
    expect(daysBetween('2026-01-02', '2026-01-01')).toBe(0);
  });
});

describe('an hour of the account', () => {
  it.each([
    ['2026-11-01T05:10:00.5Z', 'America/New_York', '2026-11-01T06:00:00.000Z'],
    ['2026-11-01T06:00:00Z', 'America/New_York', '2026-11-01T07:00:00.000Z'],
    ['2026-03-08T06:59:59Z', 'America/New_York', '2026-03-08T07:00:00.000Z'],
    ['2026-11-21T12:00:00Z', 'Asia/Kolkata', '2026-11-21T12:30:00.000Z'],
    // 1:00 to 2:00, 1:30 to 2:00 again; and in spring 2:30 to 3:00.
    ['2026-04-04T14:30:00Z', 'Australia/Lord_Howe', '2026-04-04T15:00:00.000Z'],
    ['2026-04-04T15:00:00Z', 'Australia/Lord_Howe', '2026-04-04T15:30:00.000Z'],
    ['2026-10-03T15:30:00Z', 'Australia/Lord_Howe', '2026-10-03T16:00:00.000Z'],
  ])('at %s in %s ends at %s', (at, zone, end) => {
    expect(endOfHour(new Date(at), zone).toISOString()).toBe(end);
  });

  it('is followed by another at once, on days on which clocks change too', () => {
    const zones = ['America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata', 'America/St_Johns'];
    for (const zone of zones) {
      for (const day of ['2026-03-08', '2026-04-04', '2026-10-03', '2026-11-01']) {
        const until = Number(startOfDay(dayAfter(day, 2), zone));
        let at = startOfDay(day, zone);
        while (Number(at) < until) {
          const { hour } = windowKeys(at, zone);
          const end = endOfHour(at, zone);
          expect(windowKeys(new Date(Number(end) - 1), zone).hour).toBe(hour);
          expect(windowKeys(end, zone).hour > hour).toBe(true);
          expect([0.5, 1]).toContain((Number(end) - Number(at)) / 3_600_000);
          at = end;
        }
        expect(Number(at)).toBe(until);
      }
    }
  });
});
