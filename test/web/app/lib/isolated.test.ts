import { expect, it } from '@jest/globals';
import { isolatedPlaces } from '../../../../src/web/app/lib/isolated.js';

it.each([
  [[], []],
  [[1], [0]],
  [[null, null, 0.5], [2]],
  [[1, 2, null, 3], [3]],
  [
    [0, null, 0, 0, null, null, 0],
    [0, 6],
  ],
])('of the values %j those at %j have no neighbor, and are drawn as points', (values, expected) => {
  expect(isolatedPlaces(values)).toEqual(expected);
});
