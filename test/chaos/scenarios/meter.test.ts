import { describe, expect, it } from '@jest/globals';
import { cpuBetween, readStat, type Sample } from './meter.js';

const sample = (at: number, pid: number, cpuMs: number): Sample => ({
  at,
  uses: { api: { pid, cpuMs, rssBytes: 0 } },
});

describe('the use of processes', () => {
  it('is read from a line whose name holds blanks and brackets', () => {
    const line = '42 (a (b) c) S 1 42 42 0 -1 4194560 9 0 0 0 150 50 0 0 20 0 11 0 77 1000 300 1';
    expect(readStat(42, line)).toEqual({ pid: 42, cpuMs: 2_000, rssBytes: 300 * 4_096 });
  });

  it('is in percent of a core between two moments', () => {
    expect(cpuBetween(sample(0, 1, 500), sample(10_000, 1, 1_500))).toEqual({ api: 10 });
  });

  it('counts all of a process that was started in between', () => {
    expect(cpuBetween(sample(0, 1, 5_000), sample(10_000, 2, 100))).toEqual({ api: 1 });
  });
});
