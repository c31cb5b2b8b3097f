import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { windowKeys } from '../../src/fields/windowKeys.js';

const NEW_YORK = 'America/New_York';

describe('windowKeys', () => {
  const table: [string, string, string, string][] = [
    // Standard time, then daylight-saving time from 2026-03-08 (a Sunday) on.
    ['2026-03-08T04:59:59Z', NEW_YORK, '2026-03-07', 'W2026-03-02'],
    ['2026-03-08T05:00:00Z', NEW_YORK, '2026-03-08', 'W2026-03-02'],
    ['2026-03-08T06:59:59Z', NEW_YORK, '2026-03-08', 'W2026-03-02'],
    ['2026-03-08T07:00:00Z', NEW_YORK, '2026-03-08', 'W2026-03-02'],
    ['2026-03-09T03:59:59Z', NEW_YORK, '2026-03-08', 'W2026-03-02'],
    ['2026-03-09T04:00:00Z', NEW_YORK, '2026-03-09', 'W2026-03-09'],
    // Back to standard time on 2026-11-01 (a Sunday): that day has 25 hours.
    ['2026-11-01T03:59:59Z', NEW_YORK, '2026-10-31', 'W2026-10-26'],
    ['2026-11-01T04:00:00Z', NEW_YORK, '2026-11-01', 'W2026-10-26'],
    ['2026-11-01T05:30:00Z', NEW_YORK, '2026-11-01', 'W2026-10-26'],
    ['2026-11-01T06:30:00Z', NEW_YORK, '2026-11-01', 'W2026-10-26'],
    ['2026-11-02T04:59:59Z', NEW_YORK, '2026-11-01', 'W2026-10-26'],
    ['2026-11-02T05:00:00Z', NEW_YORK, '2026-11-02', 'W2026-11-02'],
    // Ends of years.
    ['2027-01-01T04:59:59Z', NEW_YORK, '2026-12-31', 'W2026-12-28'],
    ['2027-01-01T05:00:00Z', NEW_YORK, '2027-01-01', 'W2026-12-28'],
    ['2028-02-29T12:00:00Z', NEW_YORK, '2028-02-29', 'W2028-02-28'],
    // Zones far from Greenwich on both sides.
    ['2026-11-22T23:59:59Z', 'UTC', '2026-11-22', 'W2026-11-16'],
    ['2026-11-23T00:00:00Z', 'UTC', '2026-11-23', 'W2026-11-23'],
    ['2026-11-22T10:00:00Z', 'Pacific/Kiritimati', '2026-11-23', 'W2026-11-23'],
    ['2026-11-23T10:59:59Z', 'Pacific/Pago_Pago', '2026-11-22', 'W2026-11-16'],
    ['2026-11-20T18:15:00Z', 'Asia/Kathmandu', '2026-11-21', 'W2026-11-16'],
  ];
  it.each(table)('%s in %s is day %s of week %s', (instant, zone, day, week) => {
    expect(windowKeys(new Date(instant), zone)).toMatchObject({
      day,
      week,
      month: day.slice(0, 7),
    });
  });

  const hours: [string, string, string][] = [
    // At 2:00 in New York it is 3:00.
    ['2026-03-08T06:59:59Z', NEW_YORK, '2026-03-08T06:00:00Z'],
    ['2026-03-08T07:00:00Z', NEW_YORK, '2026-03-08T07:00:00Z'],
    // The hour from 1:00 comes twice there.
    ['2026-11-01T05:59:59Z', NEW_YORK, '2026-11-01T05:00:00Z'],
    ['2026-11-01T06:00:00Z', NEW_YORK, '2026-11-01T06:00:00Z'],
    ['2026-11-01T06:59:59.999Z', NEW_YORK, '2026-11-01T06:00:00Z'],
    ['2026-11-01T07:00:00Z', NEW_YORK, '2026-11-01T07:00:00Z'],
    // Hours of zones of half hours, and of three quarters, begin in the middle of those of UTC.
    ['2026-11-21T18:29:59Z', 'Asia/Kolkata', '2026-11-21T17:30:00Z'],
    ['2026-11-21T18:30:00Z', 'Asia/Kolkata', '2026-11-21T18:30:00Z'],
    ['2026-11-20T18:15:00Z', 'Asia/Kathmandu', '2026-11-20T18:15:00Z'],
    // At 2:00 it is 1:30 again: 30 minutes more of an hour that is over, and then 2:00.
    ['2026-04-04T14:59:59Z', 'Australia/Lord_Howe', '2026-04-04T14:00:00Z'],
    ['2026-04-04T15:00:00Z', 'Australia/Lord_Howe', '2026-04-04T14:30:00Z'],
    ['2026-04-04T15:29:59Z', 'Australia/Lord_Howe', '2026-04-04T14:30:00Z'],
    ['2026-04-04T15:30:00Z', 'Australia/Lord_Howe', '2026-04-04T15:30:00Z'],
    // At 2:00 it is 2:30: an hour of 30 minutes.
    ['2026-10-03T15:29:59Z', 'Australia/Lord_Howe', '2026-10-03T14:30:00Z'],
    ['2026-10-03T15:30:00Z', 'Australia/Lord_Howe', '2026-10-03T15:00:00Z'],
    ['2026-10-03T15:59:59Z', 'Australia/Lord_Howe', '2026-10-03T15:00:00Z'],
    ['2026-10-03T16:00:00Z', 'Australia/Lord_Howe', '2026-10-03T16:00:00Z'],
  ];
  it.each(hours)('%s in %s is in the hour of %s', (instant, zone, hour) => {
    expect(windowKeys(new Date(instant), zone).hour).toBe(hour);
  });

  it('names the rule when the time zone is unknown', () => {
    expect(() => windowKeys(new Date(0), 'Mars/Olympus')).toThrow(RangeError);
  });

  it('returns the same keys after more zones than are cached', () => {
    const zones = Intl.supportedValuesOf('timeZone').slice(0, 150);
    const now = new Date('2026-11-21T12:00:00Z');
    const first = zones.map((zone) => windowKeys(now, zone));
    expect(zones.map((zone) => windowKeys(now, zone))).toEqual(first);
  });

  it('never goes back as time goes on, and names Mondays only', () => {
    const instant = fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2040, 0, 1) });
    const zone = fc.constantFrom(NEW_YORK, 'UTC', 'Australia/Lord_Howe', 'America/St_Johns');
    fc.assert(
      fc.property(
        instant,
        fc.integer({ min: 0, max: 40 * 86_400_000 }),
        zone,
        (at, later, timeZone) => {
          const [a, b] = [
            windowKeys(new Date(at), timeZone),
            windowKeys(new Date(at + later), timeZone),
          ];
          expect(a.day <= b.day && a.week <= b.week && a.month <= b.month).toBe(true);
          expect(a.hour <= b.hour).toBe(true);
          expect(new Date(`${a.week.slice(1)}T00:00:00Z`).getUTCDay()).toBe(1);
          expect(a.week.slice(1) <= a.day).toBe(true);
        },
      ),
    );
  });
});
