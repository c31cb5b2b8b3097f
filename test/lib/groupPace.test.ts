import { describe, expect, it } from '@jest/globals';
import { meanAfter, partialWaitMs, type GroupLoad } from '../../src/lib/groupPace.js';
import { createRandom } from '../chaos/prng.js';

const ONE_IN_FLIGHT: GroupLoad = { inFlight: 1, meanMs: 0, refusedAfterMs: 2_700, leastMs: 100 };

const waitMs = (load: Partial<GroupLoad>) => partialWaitMs({ ...ONE_IN_FLIGHT, ...load });

const meanOf = (meanMs: number, groups: number, tookMs: number): number =>
  Array.from({ length: groups }).reduce<number>((mean) => meanAfter(mean, tookMs), meanMs);

describe('the wait of a partial group', () => {
  it.each([
    [0, 100],
    [60, 100],
    [200, 100],
    [300, 150],
    [800, 400],
    [1_350, 675],
    [60_000, 675],
  ])('where groups take %i ms is %i ms', (meanMs, expected) => {
    expect(waitMs({ meanMs })).toBe(expected);
  });

  it('is none when nothing is in flight, however long groups take', () => {
    expect(waitMs({ meanMs: 60_000, inFlight: 0 })).toBe(0);
  });

  it('is at most a quarter of the time that the item has', () => {
    expect(waitMs({ refusedAfterMs: 200 })).toBe(50);
    expect(waitMs({ refusedAfterMs: 200, meanMs: 60_000 })).toBe(50);
  });

  it('grows with the time of groups, and stays within its bounds', () => {
    const random = createRandom('groupPace');
    for (let n = 0; n < 1_000; n++) {
      const load = {
        inFlight: random.between(1, 8),
        meanMs: random.between(0, 5_000),
        refusedAfterMs: random.between(1, 5_000),
        leastMs: random.between(0, 1_000),
      };
      const wait = partialWaitMs(load);
      const longest = load.refusedAfterMs / 4;
      expect(wait).toBeLessThanOrEqual(longest);
      expect(wait).toBeGreaterThanOrEqual(Math.min(load.leastMs, longest));
      expect(partialWaitMs({ ...load, meanMs: load.meanMs + 100 })).toBeGreaterThanOrEqual(wait);
    }
  });
});

describe('the running mean of the time of groups', () => {
  it('follows a machine that becomes slow within ten groups', () => {
    expect(meanOf(40, 10, 400)).toBeCloseTo(361, 0);
  });

  it('forgets servers that hung for seconds within a second of quick groups', () => {
    expect(waitMs({ meanMs: meanOf(3_500, 20, 50) })).toBe(ONE_IN_FLIGHT.leastMs);
  });
});
