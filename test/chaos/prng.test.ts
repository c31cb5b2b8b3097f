import { describe, expect, it } from '@jest/globals';
import { createRandom } from './prng.js';

const draws = (seed: string, name?: string) => {
  const random = createRandom(seed, name);
  return Array.from({ length: 1_000 }, () => random.next());
};

describe('seeded draws', () => {
  it('are the same for the same seed and name', () => {
    expect(draws('a', 'faults')).toEqual(draws('a', 'faults'));
  });

  it('differ for another seed, and for another name', () => {
    expect(draws('a')).not.toEqual(draws('b'));
    expect(draws('a', 'faults')).not.toEqual(draws('a', 'load'));
  });

  it('are spread over the whole range', () => {
    const tenths = new Array<number>(10).fill(0);
    for (const draw of draws('spread')) {
      expect(draw).toBeGreaterThanOrEqual(0);
      expect(draw).toBeLessThan(1);
      const tenth = Math.floor(draw * 10);
      tenths[tenth] = (tenths[tenth] ?? 0) + 1;
    }
    for (const count of tenths) expect(count).toBeGreaterThan(60);
  });

  it('includes both ends of a range', () => {
    const random = createRandom('ends');
    const seen = new Set(Array.from({ length: 200 }, () => random.between(3, 5)));
    expect([...seen].sort()).toEqual([3, 4, 5]);
  });

  it('chooses by weight, and never an item without weight', () => {
    const random = createRandom('weights');
    const items = [
      ['often', 9],
      ['seldom', 1],
      ['never', 0],
    ] as const;
    const seen = Array.from({ length: 1_000 }, () => random.weighted(items));
    expect(seen.filter((one) => one === 'often').length).toBeGreaterThan(820);
    expect(seen.filter((one) => one === 'seldom').length).toBeGreaterThan(50);
    expect(seen).not.toContain('never');
  });

  it('keeps every item when it shuffles', () => {
    const items = [1, 2, 3, 4, 5, 6, 7, 8];
    const shuffled = createRandom('shuffle').shuffled(items);
    expect(shuffled).not.toEqual(items);
    expect(shuffled.toSorted((a, b) => a - b)).toEqual(items);
  });

  it('refuses to choose from an empty list', () => {
    expect(() => createRandom('none').pick([])).toThrow('There is nothing to choose from');
  });
});
