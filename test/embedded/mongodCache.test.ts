import { totalmem } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import { cacheGib, memoryBytes } from '../../src/embedded/mongod.js';

const GIB = 2 ** 30;

describe('the cache of the embedded MongoDB', () => {
  it.each([
    ['a quarter of the memory', 6 * GIB, 1.5],
    ['to a hundredth, never more than the quarter', 3.99 * GIB, 0.99],
    ['no more than 4 GiB', 64 * GIB, 4],
    ['no less than mongod takes', 0.5 * GIB, 0.25],
  ])('is %s', (_what, memory, size) => {
    expect(cacheGib(memory)).toBe(size);
  });

  it.each([
    ['the machine where nothing constrains it', 0, 8 * GIB],
    ['the machine where the constraint is more than it has', 2 ** 64, 8 * GIB],
    ['the container where that has less', 2 * GIB, 2 * GIB],
  ])('is measured by %s', (_what, constrained, memory) => {
    expect(memoryBytes(8 * GIB, constrained)).toBe(memory);
  });

  it('is measured by no more than the machine has', () => {
    expect(memoryBytes()).toBeGreaterThan(0);
    expect(memoryBytes()).toBeLessThanOrEqual(totalmem());
  });
});
