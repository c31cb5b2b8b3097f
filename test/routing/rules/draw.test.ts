import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { drawOrder, type Lot } from '../../../src/routing/rules/draw.js';

const lots = fc.uniqueArray(
  fc.record({ id: fc.string({ minLength: 1 }), weight: fc.nat({ max: 1_000 }) }),
  { selector: ({ id }) => id, maxLength: 12 },
);

/** How often each entry is drawn first for 10,000 seeds. */
function firsts(among: readonly Lot[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (let n = 0; n < 10_000; n++) {
    const [first = ''] = drawOrder(among, `lead-${n}`);
    counts.set(first, (counts.get(first) ?? 0) + 1);
  }
  return counts;
}

describe('drawOrder', () => {
  it('draws each weighted entry once, and none without weight', () => {
    fc.assert(
      fc.property(lots, fc.string(), (among, seed) => {
        const wanted = among.filter(({ weight }) => weight > 0).map(({ id }) => id);
        expect(drawOrder(among, seed).sort()).toEqual(wanted.sort());
      }),
    );
  });

  it('returns the same order for the same seed, whatever the order of its entries', () => {
    fc.assert(
      fc.property(lots, fc.string(), (among, seed) => {
        expect(drawOrder([...among].reverse(), seed)).toEqual(drawOrder(among, seed));
      }),
    );
  });

  it.each([
    ['lead-1', 'bacd'],
    ['lead-2', 'bcad'],
    ['lead-3', 'bacd'],
    ['', 'abcd'],
    ['é', 'abcd'],
  ])('is the order that every release draws for the seed %j', (seed, order) => {
    const among = [50, 30, 15, 5].map((weight, n) => ({ id: 'abcd'.charAt(n), weight }));
    expect(drawOrder(among, seed).join('')).toBe(order);
  });

  it.each([
    ['percentages', [50, 30, 20]],
    ['weights that are no percentages', [5, 3, 2]],
    ['a share of one in a hundred', [1, 99]],
    ['fractions', [0.25, 0.5]],
  ])('holds the shares of 10,000 leads within five standard deviations: %s', (_name, weights) => {
    const among = weights.map((weight, n) => ({ id: `b${n}`, weight }));
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    const counts = firsts(among);
    for (const { id, weight } of among) {
      const share = weight / total;
      const deviation = Math.sqrt(10_000 * share * (1 - share));
      expect(Math.abs((counts.get(id) ?? 0) - 10_000 * share)).toBeLessThan(5 * deviation);
    }
  });

  it('keeps the shares of the other buyers when one is missing', () => {
    const counts = firsts([
      { id: 'a', weight: 30 },
      { id: 'b', weight: 20 },
    ]);
    const deviation = Math.sqrt(10_000 * 0.6 * 0.4);
    expect(Math.abs((counts.get('a') ?? 0) - 6_000)).toBeLessThan(5 * deviation);
  });
});
