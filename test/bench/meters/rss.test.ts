import { describe, expect, it } from '@jest/globals';
import { ofService, overLast, residentMib } from './rss.js';

/** One sample each second: leads so far, and the memory of all processes of the service. */
const looks = (rows: readonly (readonly [leads: number, mib: number])[]) =>
  rows.map(([leads, mib], at) => ({
    at,
    leads,
    mib: { intake: mib / 2, delivery: mib / 2, mongod: 999, load: 999 },
  }));

describe('memory over the last leads', () => {
  it('is flat where it grew only before', () => {
    const half = overLast(
      50,
      looks([
        [0, 100],
        [40, 300],
        [50, 400],
        [75, 400],
        [100, 400],
      ]),
    );
    expect(half).toEqual({ from: 400, to: 400, mibPerMinute: 0 });
  });

  it('is a regression line through all samples', () => {
    const half = overLast(
      50,
      looks([
        [0, 100],
        [50, 400],
        [60, 420],
        [80, 410],
        [100, 430],
      ]),
    );
    expect(half?.mibPerMinute).toBeCloseTo(8 * 60);
    expect(half?.to).toBeCloseTo((half?.from ?? 0) + 3 * 8);
  });

  it('is unknown for a single sample', () => {
    expect(overLast(50, looks([[10, 100]]))).toBeNull();
  });
});

it.each<Record<string, number>>([
  { intake: 300, delivery: 100 },
  { api: 150, worker: 150, delivery: 100 },
])('of the service is the sum over its roles, without servers, buyers and load: %j', (roles) => {
  const mib = { ...roles, mongod: 2_000, temporal: 300, buyers: 80, load: 200 };
  expect(ofService({ at: 0, leads: 0, mib })).toBe(400);
});

it('reads the resident memory of this process, and 0 for a missing process', () => {
  const { rss } = process.memoryUsage();
  expect(residentMib(process.pid)).toBeGreaterThan((rss / 1_024 ** 2) * 0.5);
  expect(residentMib(2 ** 30)).toBe(0);
});
