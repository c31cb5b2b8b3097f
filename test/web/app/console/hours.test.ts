/** Opening hours as people write them into a cell. */
import { describe, expect, it } from '@jest/globals';
import { Schedule } from '../../../../src/fields/scheduleSchema.js';
import { readHours, writeHours } from '../../../../src/web/app/console/links/hours.js';

const WEEK = ['mon', 'tue', 'wed', 'thu', 'fri'];
const DAILY = [...WEEK, 'sat', 'sun'];

describe('hours in a cell', () => {
  it.each([
    ['Mon–Fri 09:00–17:00', [{ days: WEEK, from: '09:00', to: '17:00' }]],
    ['mon-fri 9-17', [{ days: WEEK, from: '09:00', to: '17:00' }]],
    ['Monday to Friday 9:00 to 17:30', [{ days: WEEK, from: '09:00', to: '17:30' }]],
    ['8-20', [{ days: DAILY, from: '08:00', to: '20:00' }]],
    ['Daily 00:00–24:00', [{ days: DAILY, from: '00:00', to: '24:00' }]],
    ['Sat Sun 22:00–04:00', [{ days: ['sat', 'sun'], from: '22:00', to: '04:00' }]],
    ['fri-mon 10-12', [{ days: ['mon', 'fri', 'sat', 'sun'], from: '10:00', to: '12:00' }]],
    [
      'Mon-Wed 9-12, Sat 10-14',
      [
        { days: ['mon', 'tue', 'wed'], from: '09:00', to: '12:00' },
        { days: ['sat'], from: '10:00', to: '14:00' },
      ],
    ],
  ])('reads %j as the service takes it, and its own writing again', (text, value) => {
    expect(readHours(text)).toEqual({ value });
    expect(Schedule.parse(value)).toEqual(value);
    expect(readHours(writeHours(value))).toEqual({ value });
  });

  it('are empty where the buyer is always open', () => {
    expect(readHours('  ')).toEqual({ value: null });
    expect(writeHours(null)).toBe('');
  });

  it.each(['9', 'Mon', 'Funday 9-17', 'Mon 25-26', 'Mon 24:00-08:00', 'Mon 9:75-10', 'm 9-17'])(
    'of %j are refused with an example',
    (text) => {
      expect(readHours(text).fault).toMatch(
        /is not understood. Write days and hours, such as Mon–Fri/,
      );
    },
  );

  it('are written in short', () => {
    const days = ['mon', 'tue', 'thu', 'fri', 'sat'];
    expect(writeHours([{ days, from: '09:00', to: '17:00' }])).toBe('Mon Tue Thu–Sat 09:00–17:00');
  });
});
