import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { findNearest } from '../../src/lib/nearest.js';

/** Edit distance by the full table of Wagner and Fischer, with UTF-16 units as characters. */
function edits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, n) => n);
  for (let i = 0; i < from.length; i += 1) {
    const next = [i + 1];
    for (let j = 0; j < to.length; j += 1) {
      const replaced = (row[j] ?? 0) + (from[i] === to[j] ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

describe('findNearest', () => {
  const known = ['first_name', 'last_name', 'zip_code', 'price'];
  it.each([
    ['firstname', 'first_name'],
    ['First_Name', 'first_name'],
    ['zipcode', 'zip_code'],
    ['prise', 'price'],
    ['income', undefined],
    ['', undefined],
  ])('for %j is %j', (word, found) => {
    expect(findNearest(word, known)).toBe(found);
  });

  it('returns the first of two words that are equally near', () => {
    expect(findNearest('zap', ['zip', 'zop'])).toBe('zip');
  });

  it('returns the word with the fewest edits, however long the words are and whatever they hold', () => {
    const texts = [
      fc.string({ unit: fc.constantFrom('a', 'b', '_'), maxLength: 70 }),
      fc.string({ unit: 'binary', maxLength: 40 }),
    ];
    const word = fc.oneof(...texts);
    fc.assert(
      fc.property(word, fc.array(word, { maxLength: 6 }), (wanted, names) => {
        const compared = (text: string) => text.slice(0, 64).toLowerCase();
        const most = Math.max(1, Math.floor(compared(wanted).length / 3));
        const counted = names.map((name) => edits(compared(wanted), compared(name)));
        const fewest = Math.min(...counted);
        const expected = fewest <= most ? names[counted.indexOf(fewest)] : undefined;
        expect(findNearest(wanted, names)).toBe(expected);
      }),
    );
  });
});
