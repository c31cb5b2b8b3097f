import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isOpenAt, nextOpening, wallClock } from '../../src/fields/schedule.js';
import { WEEKDAYS } from '../../src/fields/days.js';
import type { Schedule } from '../../src/fields/schedule.js';

const NEW_YORK = 'America/New_York';
const at = (text: string) => new Date(text);
const office: Schedule = [
  { days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '08:00', to: '18:00' },
];
const night: Schedule = [{ days: ['fri'], from: '22:00', to: '02:00' }];

describe('a schedule', () => {
  it.each([
    ['before it opens', office, '2026-11-23T12:59:59.999Z', false],
    ['the instant it opens', office, '2026-11-23T13:00:00Z', true],
    ['the instant before it closes', office, '2026-11-23T22:59:59.999Z', true],
    ['the instant it closes', office, '2026-11-23T23:00:00Z', false],
    ['on another day', office, '2026-11-22T15:00:00Z', false],
    ['of a night, before midnight', night, '2026-11-21T03:30:00Z', true],
    ['of a night, after midnight, on the day after', night, '2026-11-21T06:59:00Z', true],
    ['of a night, when it ends', night, '2026-11-21T07:00:00Z', false],
    ['of a night, after midnight of the day itself', night, '2026-11-20T06:00:00Z', false],
    [
      'of whole days, at their start',
      [{ days: ['sun'], from: '00:00', to: '24:00' }],
      '2026-11-22T05:00:00Z',
      true,
    ],
    [
      'of whole days, after their end',
      [{ days: ['sun'], from: '00:00', to: '24:00' }],
      '2026-11-23T05:00:00Z',
      false,
    ],
    [
      'with equal times, all day',
      [{ days: ['sun'], from: '09:00', to: '09:00' }],
      '2026-11-22T06:00:00Z',
      true,
    ],
    [
      'with equal times, not a day longer',
      [{ days: ['sun'], from: '09:00', to: '09:00' }],
      '2026-11-23T06:00:00Z',
      false,
    ],
    [
      'of a Sunday night, on Monday',
      [{ days: ['sun'], from: '23:00', to: '01:00' }],
      '2026-11-23T05:30:00Z',
      true,
    ],
    ['without windows', [], '2026-11-23T15:00:00Z', false],
  ] as [string, Schedule, string, boolean][])('%s', (_, schedule, now, open) => {
    expect(isOpenAt(schedule, at(now), NEW_YORK)).toBe(open);
  });

  it('refuses a zone that does not exist', () => {
    expect(() => isOpenAt(office, at('2026-11-23T15:00:00Z'), 'Mars/Base')).toThrow(
      new RangeError('Mars/Base is not an IANA time zone'),
    );
  });

  it('shows what the wall clock shows', () => {
    expect(wallClock(at('2026-11-23T03:05:00Z'), NEW_YORK)).toBe('sun 22:05');
    expect(wallClock(at('2026-11-22T23:59:59Z'), 'Australia/Lord_Howe')).toBe('mon 10:59');
  });
});

describe('the next opening', () => {
  it.each([
    ['now, when it is open', office, '2026-11-23T15:00:00Z', '2026-11-23T15:00:00Z'],
    ['later today', office, '2026-11-23T05:00:00Z', '2026-11-23T13:00:00Z'],
    ['after the weekend', office, '2026-11-20T23:00:00Z', '2026-11-23T13:00:00Z'],
    [
      'in a week less a second',
      [{ days: ['mon'], from: '08:00', to: '08:01' }],
      '2026-11-23T13:01:00Z',
      '2026-11-30T13:00:00Z',
    ],
  ] as [string, Schedule, string, string][])('is %s', (_, schedule, now, opens) => {
    expect(nextOpening(schedule, at(now), NEW_YORK)).toEqual(at(opens));
  });

  it('is never without a window', () => {
    expect(nextOpening([], at('2026-11-23T15:00:00Z'), NEW_YORK)).toBeNull();
  });

  it('follows the wall clock across clock changes', () => {
    const sunday: Schedule = [{ days: ['sun'], from: '09:00', to: '10:00' }];
    expect(nextOpening(sunday, at('2026-03-07T20:00:00Z'), NEW_YORK)).toEqual(
      at('2026-03-08T13:00:00Z'),
    );
    expect(nextOpening(sunday, at('2026-10-31T20:00:00Z'), NEW_YORK)).toEqual(
      at('2026-11-01T14:00:00Z'),
    );
  });

  it('is a week later when the clock change skips its time', () => {
    const gap: Schedule = [{ days: ['sun'], from: '02:15', to: '02:45' }];
    expect(nextOpening(gap, at('2026-03-08T06:00:00Z'), NEW_YORK)).toEqual(
      at('2026-03-15T06:15:00Z'),
    );
  });

  it('is the change itself when the clock jumps into the window', () => {
    const gap: Schedule = [{ days: ['sun'], from: '02:30', to: '05:00' }];
    expect(nextOpening(gap, at('2026-03-08T06:00:00Z'), NEW_YORK)).toEqual(
      at('2026-03-08T07:00:00Z'),
    );
  });

  it('occurs twice when its time occurs twice', () => {
    const twice: Schedule = [{ days: ['sun'], from: '01:15', to: '01:45' }];
    expect(nextOpening(twice, at('2026-11-01T04:00:00Z'), NEW_YORK)).toEqual(
      at('2026-11-01T05:15:00Z'),
    );
    expect(nextOpening(twice, at('2026-11-01T05:45:00Z'), NEW_YORK)).toEqual(
      at('2026-11-01T06:15:00Z'),
    );
  });

  it('handles a clock change of half an hour', () => {
    const sunday: Schedule = [{ days: ['sun'], from: '02:00', to: '02:40' }];
    // 4 October 2026 in Lord Howe: 02:00 (+10:30) becomes 02:30 (+11:00).
    expect(nextOpening(sunday, at('2026-10-03T12:00:00Z'), 'Australia/Lord_Howe')).toEqual(
      at('2026-10-03T15:30:00Z'),
    );
    expect(isOpenAt(sunday, at('2026-10-03T15:40:00Z'), 'Australia/Lord_Howe')).toBe(false);
  });
});

describe('whatever the schedule, around the days on which clocks change', () => {
  const MINUTE = 60_000;
  const time = fc
    .record({
      hour: fc.integer({ min: 0, max: 23 }),
      minute: fc.constantFrom('00', '15', '30', '59'),
    })
    .map(({ hour, minute }) => `${String(hour).padStart(2, '0')}:${minute}`);
  const window = fc.record({
    days: fc.subarray([...WEEKDAYS], { minLength: 1, maxLength: 3 }),
    from: time,
    to: fc.oneof(time, fc.constant('24:00')),
  });
  const schedule = fc.array(window, { minLength: 1, maxLength: 3 });
  const moment = fc
    .record({
      zone: fc.constantFrom(
        [NEW_YORK, '2026-03-08T07:00:00Z'],
        [NEW_YORK, '2026-11-01T06:00:00Z'],
        ['Europe/Berlin', '2026-03-29T01:00:00Z'],
        ['Europe/Berlin', '2026-10-25T01:00:00Z'],
        ['Australia/Lord_Howe', '2026-04-04T15:00:00Z'],
        ['Australia/Lord_Howe', '2026-10-03T15:30:00Z'],
        ['UTC', '2026-01-01T00:00:00Z'],
      ),
      minutes: fc.integer({ min: -2_000, max: 2_000 }),
    })
    .map(({ zone: [timeZone = '', change = ''], minutes }) => ({
      timeZone,
      now: new Date(Number(at(change)) + minutes * MINUTE),
    }));

  const clocks = new Map<string, Intl.DateTimeFormat>();
  const clockOf = (timeZone: string): Intl.DateTimeFormat => {
    const clock =
      clocks.get(timeZone) ??
      new Intl.DateTimeFormat('en-GB', {
        timeZone,
        weekday: 'short',
        hour: '2-digit',
        minute: '2-digit',
        hourCycle: 'h23',
      });
    clocks.set(timeZone, clock);
    return clock;
  };

  /** Reads the wall clock in another way, and compares the windows as a person would. */
  const isOpen = (windows: Schedule, now: Date, timeZone: string): boolean => {
    const shown = clockOf(timeZone).formatToParts(now);
    const part = (type: string) => shown.find((item) => item.type === type)?.value ?? '';
    const clock = `${part('hour')}:${part('minute')}`;
    const today = WEEKDAYS.findIndex((day) => day === part('weekday').toLowerCase());
    const yesterday = WEEKDAYS[(today + 6) % 7]!;
    return windows.some(({ days, from, to }) => {
      const isToday = days.includes(WEEKDAYS[today]!);
      if (from === to) return isToday;
      if (from < to) return isToday && clock >= from && clock < to;
      return (isToday && clock >= from) || (days.includes(yesterday) && clock < to);
    });
  };

  it('is open exactly when the wall clock says so', () => {
    fc.assert(
      fc.property(schedule, moment, (windows, { now, timeZone }) => {
        expect(isOpenAt(windows, now, timeZone)).toBe(isOpen(windows, now, timeZone));
      }),
    );
  });

  it('opens next at a minute that is open, and no earlier minute is', () => {
    fc.assert(
      fc.property(schedule, moment, (windows, { now, timeZone }) => {
        const opens = nextOpening(windows, now, timeZone);
        expect(opens).not.toBeNull();
        expect(isOpen(windows, opens!, timeZone)).toBe(true);
        expect(Number(opens)).toBeGreaterThanOrEqual(Number(now));
        // Checking around each quarter of an hour is enough: windows begin and end there, or a minute before.
        for (let next = Number(now); next < Number(opens); next += MINUTE) {
          const minute = new Date(next).getUTCMinutes();
          const matters = [0, 1, 15, 16, 30, 31, 45, 46, 59].includes(minute);
          if (matters) expect(isOpenAt(windows, new Date(next), timeZone)).toBe(false);
        }
      }),
      { numRuns: 60 },
    );
  });
});
