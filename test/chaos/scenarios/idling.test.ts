import { describe, expect, it } from '@jest/globals';
import { costOf, type Measured } from './idling.js';

const measured = (mean: number, median: number, halves: [number, number]): Measured => ({
  mean: {},
  all: { windows: [], mean, median, halves },
});

describe('the cost of waiting', () => {
  it('is measured over the whole time where idling is steady', () => {
    const idle = measured(5, 4, [4.8, 5.2]);
    expect(costOf(idle, measured(5.9, 9, [6, 6]))).toMatchObject({ by: 'mean', failures: [] });
    expect(costOf(idle, measured(6.5, 4, [6, 7])).failures).toEqual([
      'waiting costs 1.50 % of a core (by the mean; idling itself varies by 0.40 %)',
    ]);
  });

  it('is measured by the median window where idling varies by more than the smallest measurable cost', () => {
    const idle = measured(6, 4, [4, 8]);
    expect(costOf(idle, measured(9, 4.5, [9, 9]))).toMatchObject({ by: 'median', failures: [] });
    expect(costOf(idle, measured(6, 5.5, [6, 6])).failures).toHaveLength(1);
  });
});
