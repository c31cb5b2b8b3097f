import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { backoffMs, parseRetryAfter } from '../../../src/deliveries/rules/backoff.js';

describe('backoffMs', () => {
  it.each([
    [0, 1_000],
    [1, 1_000],
    [2, 2_000],
    [3, 4_000],
    [9, 256_000],
    [10, 300_000],
    [5_000, 300_000],
  ])('waits after %d failures for %d ms, without jitter', (failures, ms) => {
    expect(backoffMs(failures, 0.5)).toBe(ms);
  });

  it('stays within 20 % of that', () => {
    const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), random, (failures, draw) => {
        const middle = backoffMs(failures, 0.5);
        const ms = backoffMs(failures, draw);
        expect(ms).toBeGreaterThanOrEqual(middle * 0.8);
        expect(ms).toBeLessThanOrEqual(middle * 1.2);
        expect(Number.isInteger(ms)).toBe(true);
      }),
    );
  });
});

describe('parseRetryAfter', () => {
  const now = new Date('2026-11-21T12:00:00Z');
  it.each([
    ['0', 0],
    ['7', 7_000],
    [' 7 ', 7_000],
    ['3600', 3_600_000],
    ['86400', 3_600_000],
    ['9'.repeat(40), 3_600_000],
    ['Sat, 21 Nov 2026 12:00:30 GMT', 30_000],
    ['Sat, 21 Nov 2026 11:00:00 GMT', 0],
    ['Sun, 22 Nov 2026 12:00:00 GMT', 3_600_000],
    ['Saturday, 21-Nov-26 12:00:30 GMT', 30_000],
    ['Sat Nov 21 12:00:30 2026', 30_000],
    ['Sat Nov  1 12:00:30 2026', 0],
    [undefined, null],
    ['', null],
    ['-5', null],
    ['1.5', null],
    ['soon', null],
    ['abc 5', null],
    ['2026-11-21', null],
    ['Sat, 99 Nov 2026 12:00:00 GMT', null],
    ['9'.repeat(1_000_000), null],
  ])('reads %j as %j', (header, ms) => {
    expect(parseRetryAfter(header, now)).toBe(ms);
  });
});
