import { describe, expect, it } from '@jest/globals';
import { sameValue } from '../../../src/account/rules/response.js';
import type { Scalar } from '../../../src/fields/values.js';

const PAIRS: readonly [Scalar, Scalar, boolean][] = [
  [true, 'yes', true],
  [true, 'no', false],
  [false, 'no', true],
  [false, 'maybe', false],
  [true, false, false],
  [true, 1, true],
  [true, 'maybe', false],
  [7, '7', true],
  [7, ' 7.0 ', true],
  [7, '8', false],
  [7, 'seven', false],
  [7, '', false],
  ['7', '7.0', false],
  [' Solar ', 'sOLAR', true],
  ['Solar', 'Sola', false],
  ['12345678901234567890', '12345678901234567891', false],
];

describe('two values of a filter', () => {
  it.each(PAIRS)('%j and %j are the same: %j, whichever comes first', (a, b, same) => {
    expect([sameValue(a, b), sameValue(b, a)]).toEqual([same, same]);
  });
});
