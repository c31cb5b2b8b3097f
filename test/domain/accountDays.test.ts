import { describe, expect, it } from 'vitest';
import { dayAfter, daysBetween, spanOfDay } from '../../src/domain/accountDays.js';
import { windowKeys } from '../../src/domain/windowKeys.js';

const hours = ({ from, to }: { from: Date; to: Date }): number =>
  (Number(to) - Number(from)) / 3_600_000;

describe('a day of an account', () => {
  it('begins at midnight where the account is', () => {
    expect(spanOfDay('2026-11-21', 'America/New_York')).toEqual({
      from: new Date('2026-11-21T05:00:00Z'),
      to: new Date('2026-11-22T05:00:00Z'),
    });
  });

  it('has 23 or 25 hours when the clocks change', () => {
    expect(hours(spanOfDay('2026-03-08', 'America/New_York'))).toBe(23);
    expect(hours(spanOfDay('2026-11-01', 'America/New_York'))).toBe(25);
  });

  it.each(['UTC', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'America/Havana'])(
    'holds in %s just the instants that are counted in it',
    (zone) => {
      for (const day of ['2026-03-08', '2026-04-05', '2026-10-04', '2026-11-01', '2026-12-31']) {
        const { from, to } = spanOfDay(day, zone);
        expect(windowKeys(from, zone).day).toBe(day);
        expect(windowKeys(new Date(Number(to) - 1), zone).day).toBe(day);
        expect(windowKeys(new Date(Number(from) - 1), zone).day).not.toBe(day);
        expect(windowKeys(to, zone).day).not.toBe(day);
      }
    },
  );

  it('must be one of the calendar', () => {
    expect(() => spanOfDay('2026-02-30', 'UTC')).toThrow(RangeError);
    expect(() => spanOfDay('2026-02-03', 'Nowhere/Land')).toThrow(RangeError);
  });
});

describe('days', () => {
  it('are counted over the ends of months and years', () => {
    expect(dayAfter('2026-12-31', 1)).toBe('2027-01-01');
    expect(dayAfter('2024-03-01', -1)).toBe('2024-02-29');
  });

  it('are counted with both ends', () => {
    expect(daysBetween('2026-01-01', '2026-01-31')).toBe(31);
    expect(daysBetween('2026-01-01', '2026-01-01')).toBe(1);
    expect(daysBetween('2026-01-02', '2026-01-01')).toBe(0);
  });
});
