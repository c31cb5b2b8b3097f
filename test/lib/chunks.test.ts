import { describe, expect, it } from '@jest/globals';
import { chunks } from '../../src/lib/chunks.js';

describe('chunks', () => {
  it('contain everything in order, each of the given size except the last', () => {
    expect(chunks([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
    expect(chunks([1, 2, 3, 4], 2)).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  it('are one chunk when all items fit, and none without items', () => {
    expect(chunks([1, 2], 3)).toEqual([[1, 2]]);
    expect(chunks([], 3)).toEqual([]);
  });
});
