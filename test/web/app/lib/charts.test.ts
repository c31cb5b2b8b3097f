import { describe, expect, it } from '@jest/globals';
import { drawnOf } from '../../../../src/web/app/ui/charts/model.js';

describe('what a chart draws', () => {
  const values = [
    [3, null, 0],
    [1, 4, 0],
  ];

  it('draws bars and lines from zero, with gaps where there is no value', () => {
    expect(drawnOf(values, 'bars')).toEqual({
      lows: [
        [0, 0, 0],
        [0, 0, 0],
      ],
      highs: values,
    });
  });

  it('puts the parts of a sum upon each other', () => {
    expect(drawnOf(values, 'stack')).toEqual({
      lows: [
        [0, 0, 0],
        [3, 0, 0],
      ],
      highs: [
        [3, 0, 0],
        [4, 4, 0],
      ],
    });
  });

  it('draws shares of the whole, and nothing where the whole is zero', () => {
    expect(drawnOf(values, 'shares').highs).toEqual([
      [0.75, 0, 0],
      [1, 1, 0],
    ]);
  });
});
