import { readBoolean, readExactNumber } from './fieldTypes.js';
import type { Scalar } from './values.js';

/**
 * Whether two values are the same. Next to a boolean or a number the other side is read as one; two texts compare
 * without case and outer space (never as numbers, or long ids would lose their last digits).
 */
export function sameValue(a: Scalar, b: Scalar): boolean {
  if (typeof a === 'boolean' || typeof b === 'boolean') {
    const [left, right] = [readBoolean(a), readBoolean(b)];
    return left !== null && left === right;
  }
  if (typeof a === 'number' || typeof b === 'number') {
    const [left, right] = [readExactNumber(a), readExactNumber(b)];
    return left !== null && left === right;
  }
  return a.trim().toLowerCase() === b.trim().toLowerCase();
}
