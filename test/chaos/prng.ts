/**
 * Draws decided by a seed: the same seed gives the same run. FNV-1a makes a number of the seed's text,
 * mulberry32 draws from it: enough for choosing faults, unfit for secrets.
 */
export interface Random {
  /** From 0 to below 1. */
  next(): number;
  /** A whole number, both ends included. */
  between(from: number, to: number): number;
  /** @throws {Error} when there are no items */
  pick<T>(items: readonly T[]): T;
  /** One of the values, each in proportion to its weight. */
  weighted<T>(items: readonly (readonly [value: T, weight: number])[]): T;
  /** The items in random order. */
  shuffled<T>(items: readonly T[]): T[];
}

/** `name` separates draws for different purposes: more draws of one never change another. */
export function createRandom(seed: string, name = ''): Random {
  let state = hash(`${name}\n${seed}`);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  const pick = <T>(items: readonly T[]): T => {
    const index = between(0, items.length - 1);
    if (index < 0 || index >= items.length) throw new Error('There is nothing to choose from');
    return items[index] as T;
  };
  return {
    next,
    between,
    pick,
    weighted(items) {
      const total = items.reduce((sum, [, weight]) => sum + weight, 0);
      let left = next() * total;
      const found = items.find(([, weight]) => (left -= weight) < 0);
      return (found ?? pick(items))[0];
    },
    shuffled(items) {
      const left = [...items];
      for (let last = left.length - 1; last > 0; last--) {
        const other = between(0, last);
        [left[last], left[other]] = [left[other] as never, left[last] as never];
      }
      return left;
    },
  };
}

function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value | 0;
}
