import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { formatSchedule, parseSchedule } from '../../../../cli/actions/short/schedule.js';
import { WEEKDAYS } from '../../../../src/fields/days.js';
import { Schedule } from '../../../../src/fields/scheduleSchema.js';

const NINE = { from: '09:00', to: '17:00' };
const ALL_DAY = { from: '00:00', to: '24:00' };
const WEEK = ['mon', 'tue', 'wed', 'thu', 'fri'];

describe('a schedule in words', () => {
  it.each([
    ['mon-fri 9-17', [{ days: WEEK, ...NINE }]],
    ['9-17', [{ days: [...WEEKDAYS], ...NINE }]],
    ['daily 9am-5pm', [{ days: [...WEEKDAYS], ...NINE }]],
    ['Sat, SUNDAY', [{ days: ['sat', 'sun'], ...ALL_DAY }]],
    ['fri-mon 22:30-6', [{ days: ['mon', 'fri', 'sat', 'sun'], from: '22:30', to: '06:00' }]],
    [
      'mon 9-12, 13:30-17:00',
      [
        { days: ['mon'], from: '09:00', to: '12:00' },
        { days: ['mon'], from: '13:30', to: '17:00' },
      ],
    ],
    [
      'mon 0-24; tue 12am-12am',
      [
        { days: ['mon'], ...ALL_DAY },
        { days: ['tue'], ...ALL_DAY },
      ],
    ],
    ['mon 12pm-24', [{ days: ['mon'], from: '12:00', to: '24:00' }]],
  ])('%s', (words, expected) => {
    expect(parseSchedule(words)).toEqual(expected);
  });

  it.each([
    ['', 0, 'it is empty'],
    ['mon-fry 9-17', 4, '"fry" is no day: days are mon to sun'],
    ['mon-fri 9-25', 10, '"25" is no time: a time is 0:00 to 24:00'],
    ['mon-fri 24-25', 8, '"24" is no time: a time is 0:00 to 23:59'],
    ['mon 9:60-17', 4, '"9:60" is no time'],
    ['mon 13pm-5', 4, '"13pm" is no time'],
    ['mon 24:30-5', 4, '"24:30" is no time'],
    ['mon 5-24:30', 6, '"24:30" is no time'],
    ['mon 9', 4, '"9" is no range: times are a range such as 9-17'],
    ['mon 9-12-13', 4, '"9-12-13" is no range'],
    ['mon-wed-fri 9-17', 0, '"mon-wed-fri" is no range: days are'],
    ['mon 9-17; sat x', 10, '"sat x" is no day'],
  ])('%j is refused at character %d', (words, at, message) => {
    expect(() => parseSchedule(words)).toThrow(
      expect.objectContaining({ at, message: expect.stringContaining(message) }),
    );
  });

  it('is the same schedule when it is written and read again', () => {
    const hour = fc.integer({ min: 0, max: 23 });
    const time = fc
      .tuple(hour, fc.integer({ min: 0, max: 59 }))
      .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'));
    const window = fc.record({
      days: fc.subarray([...WEEKDAYS], { minLength: 1 }),
      from: time,
      to: fc.oneof(time, fc.constant('24:00')),
    });
    fc.assert(
      fc.property(fc.array(window, { minLength: 1, maxLength: 5 }), (windows) => {
        const schedule = Schedule.parse(windows);
        const words = formatSchedule(schedule);
        expect(parseSchedule(words)).toEqual(schedule);
        // What is read is in its normal form already.
        expect(Schedule.parse(parseSchedule(words))).toEqual(schedule);
      }),
    );
  });
});
