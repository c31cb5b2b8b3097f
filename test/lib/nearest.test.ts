import { describe, expect, it } from 'vitest';
import { nearest } from '../../src/lib/nearest.js';

describe('nearest', () => {
  const known = ['first_name', 'last_name', 'zip_code', 'price'];
  it.each([
    ['firstname', 'first_name'],
    ['First_Name', 'first_name'],
    ['zipcode', 'zip_code'],
    ['prise', 'price'],
    ['income', undefined],
    ['', undefined],
  ])('for %j is %j', (word, found) => {
    expect(nearest(word, known)).toBe(found);
  });
});
