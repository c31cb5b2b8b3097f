import { describe, expect, it } from '@jest/globals';
import { Schedule } from '../../src/fields/scheduleSchema.js';
import { checkBy } from '../../src/lib/schema/sentences.js';

const check = (input: unknown) => checkBy(Schedule, input, 'schedule');

describe('a schedule as it is written', () => {
  it.each([
    [
      'one window',
      { days: ['mon'], from: '08:00', to: '18:00' },
      { days: ['mon'], from: '08:00', to: '18:00' },
    ],
    [
      'days in any case and order, each once',
      { days: ['Friday', 'MON', ' mon '], from: '08:00', to: '18:00' },
      { days: ['mon', 'fri'], from: '08:00', to: '18:00' },
    ],
    [
      'short hours',
      { days: ['sun'], from: '8:00', to: '9:30' },
      { days: ['sun'], from: '08:00', to: '09:30' },
    ],
    [
      'a night',
      { days: ['sun'], from: '22:00', to: '02:00' },
      { days: ['sun'], from: '22:00', to: '02:00' },
    ],
    [
      'the end of the day',
      { days: ['sun'], from: '22:00', to: '24:00' },
      { days: ['sun'], from: '22:00', to: '24:00' },
    ],
    [
      'equal times, which are the whole day',
      { days: ['sun'], from: '09:00', to: '09:00' },
      { days: ['sun'], from: '00:00', to: '24:00' },
    ],
  ])('may be %s', (_, input, window) => {
    expect(check(input)).toEqual({ ok: true, value: [window] });
    expect(check([input])).toEqual({ ok: true, value: [window] });
    expect(check([window])).toEqual({ ok: true, value: [window] });
  });

  it.each([
    ['schedule', [], 'schedule must have a window; leave it out to be always open'],
    ['schedule', 'mon', 'schedule must be { days, from, to }, such as'],
    ['schedule', null, 'schedule must be { days, from, to }'],
    ['schedule[1]', [{ days: ['mon'], from: '08:00', to: '09:00' }, 5], 'schedule[1] must be'],
    ['days', { days: [], from: '08:00', to: '09:00' }, 'schedule.days must list at least one day'],
    ['days', { from: '08:00', to: '09:00' }, 'schedule.days must list at least one day'],
    [
      'a day',
      { days: ['mon', 'funday'], from: '08:00', to: '09:00' },
      'mon to sun; "funday" is not one',
    ],
    [
      'from',
      { days: ['mon'], from: '24:00', to: '09:00' },
      'schedule.from must be a time from "00:00" to "23:59"',
    ],
    ['from', { days: ['mon'], from: 8, to: '09:00' }, 'schedule.from must be a time'],
    [
      'to',
      { days: ['mon'], from: '08:00', to: '24:01' },
      'schedule.to must be a time from "00:00" to "24:00"',
    ],
    ['to', { days: ['mon'], from: '08:00', to: '9' }, 'schedule.to must be a time'],
    ['minutes', { days: ['mon'], from: '08:60', to: '9:00' }, 'schedule.from must be a time'],
    ['a key', { days: ['mon'], from: '08:00', to: '09:00', zone: 'UTC' }, 'unknown key "zone"'],
  ])('is refused for a bad %s', (_, input, problem) => {
    const checked = check(input);
    expect(checked).toMatchObject({ ok: false, problems: [expect.stringContaining(problem)] });
  });

  it('reports every problem', () => {
    const checked = check([
      { days: ['x'], from: 'a', to: 'b' },
      { days: ['mon'], from: '25:00', to: '1:00' },
    ]);
    expect(checked.ok ? [] : checked.problems).toHaveLength(4);
  });

  it('is refused with too many windows', () => {
    const window = { days: ['mon'], from: '08:00', to: '09:00' };
    expect(check(Array.from({ length: 51 }, () => window))).toEqual({
      ok: false,
      problems: ['schedule must have at most 50 windows'],
    });
  });
});
