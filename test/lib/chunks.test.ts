import { describe, expect, it } from '@jest/globals';
import { chunks } from '../../src/lib/chunks.js';

describe('chunks', () => {
  it('hold everything in its order, so many in each but the last', () => {
    expect(chunks([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
    expect(chunks([1, 2, 3, 4], 2)).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  it('are one where all fit, and none of none', () => {
    expect(chunks([1, 2], 3)).toEqual([[1, 2]]);
    expect(chunks([], 3)).toEqual([]);
  });
});
