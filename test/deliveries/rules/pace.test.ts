import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { paceOf, putOffMs } from '../../../src/deliveries/rules/pace.js';

/** How many requests begin in the busiest second when each wave begins as soon as it may. */
function busiestSecond({ wave, everyMs }: ReturnType<typeof paceOf>): number {
  return Math.ceil(1_000 / everyMs) * wave;
}

describe('paceOf', () => {
  it("uses the buyer's concurrency, without a pause, when there is no rate limit", () => {
    expect(paceOf(20, null)).toEqual({ wave: 20, everyMs: 0 });
  });

  it.each([
    [20, 100, { wave: 10, everyMs: 100 }],
    [4, 100, { wave: 4, everyMs: 40 }],
    [20, 5, { wave: 1, everyMs: 200 }],
    [20, 0.01, { wave: 1, everyMs: 100_000 }],
  ])('at %d at once and %d a second: %j', (concurrent, perSecond, pace) => {
    expect(paceOf(concurrent, perSecond)).toEqual(pace);
  });

  it('never passes either limit, and comes near the slower one', () => {
    const concurrent = fc.integer({ min: 1, max: 100 });
    const perSecond = fc.oneof(fc.integer({ min: 1, max: 1_000 }), fc.constantFrom(0.01, 0.5, 2.5));
    fc.assert(
      fc.property(concurrent, perSecond, (most, rate) => {
        const pace = paceOf(most, rate);
        expect(pace.wave).toBeGreaterThanOrEqual(1);
        expect(pace.wave).toBeLessThanOrEqual(most);
        expect(busiestSecond(pace)).toBeLessThanOrEqual(Math.max(1, Math.ceil(rate)));
        const average = (pace.wave * 1_000) / pace.everyMs;
        expect(average).toBeLessThanOrEqual(rate);
      }),
    );
  });
});

describe('a row that cannot be sent', () => {
  it('is checked again after a minute, and later when a drain finds many of them', () => {
    expect([0, 999, 1_000, 5_500, 9_000, 1_000_000].map(putOffMs)).toEqual([
      60_000, 60_000, 120_000, 360_000, 600_000, 600_000,
    ]);
  });
});
