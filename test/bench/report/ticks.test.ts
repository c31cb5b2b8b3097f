import { expect, it } from '@jest/globals';
import { ticksOf } from './ticks.js';

it.each([
  [12, 480, [10, 20, 50, 100, 200, 500]],
  [10, 100, [10, 20, 50, 100]],
  [0.7, 3, [0.5, 1, 2, 5]],
  [30, 30, [20, 50]],
  [50, 50, [50, 100]],
  [0, 1, [0.1, 0.2, 0.5, 1]],
])('an axis from %d to %d is marked by %j', (least, most, marks) => {
  expect(ticksOf(least, most)).toEqual(marks);
});
