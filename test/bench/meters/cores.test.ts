import { describe, expect, it } from '@jest/globals';
import { coresBetween, coresDuring, coresLine } from './cores.js';
import { idleIn } from './cpu.js';

const NOTHING = { own: 0, mongod: 0, temporal: 0, buyers: 0, load: 0 };

describe('how the processors were shared', () => {
  it('is the CPU of each group and the idle time over the window; the rest is other', () => {
    const before = { at: 1_000, groups: { ...NOTHING, own: 500 }, idleMs: 7_000 };
    const after = {
      at: 3_000,
      groups: { own: 1_500, mongod: 1_000, temporal: 400, buyers: 100, load: 600 },
      idleMs: 7_400,
    };
    const cores = coresBetween(before, after, 2);
    expect(cores).toMatchObject({ own: 0.5, mongod: 0.5, temporal: 0.2, buyers: 0.05, load: 0.3 });
    expect(cores.idle).toBeCloseTo(0.2);
    expect(cores.other).toBeCloseTo(0.25);
    expect(coresLine(cores)).toBe(
      'cores: own 0.50, mongod 0.50, temporal 0.20, buyers 0.05, load 0.30, other 0.25, idle 0.20',
    );
  });

  it('is never negative where a clock tick falls into the next window', () => {
    const before = { at: 0, groups: { ...NOTHING, own: 10 }, idleMs: 10 };
    const after = { at: 10, groups: { ...NOTHING, load: 30 }, idleMs: 0 };
    expect(coresBetween(before, after, 2)).toMatchObject({ own: 0, idle: 0, other: 0 });
  });

  it('leaves out the use during the warm-up', async () => {
    const groups = { own: [process.pid], mongod: [], temporal: [], buyers: [], load: [] };
    const watching = coresDuring(groups, 0.3, 0.3);
    const until = performance.now() + 200;
    while (performance.now() < until);
    expect((await watching).own).toBeLessThan(0.5);
  });
});

it('reads the idle time of all processors, including waiting for a disk', () => {
  expect(idleIn('cpu  10 20 30 400 50 6 7 8 0 0\ncpu0 1 2 3 4 5 6 7 8 0 0\n')).toBe(4_500);
  expect(idleIn('')).toBe(0);
});
