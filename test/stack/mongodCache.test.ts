import { totalmem } from 'node:os';
import { describe, expect, it } from 'vitest';
import { cacheGib, memoryBytes } from '../../src/stack/mongodCache.js';

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

  it('is measured by no more than the machine has', () => {
    expect(memoryBytes()).toBeGreaterThan(0);
    expect(memoryBytes()).toBeLessThanOrEqual(totalmem());
  });
});
