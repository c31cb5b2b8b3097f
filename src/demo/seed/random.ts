/** Chance that a number decides: the same seed draws the same. */
import { createHash } from 'node:crypto';

export interface Random {
  /** In [0, 1). */
  next(): number;
  /** One of them, each as likely. */
  pick<T>(from: readonly T[]): T;
  /** One of them, by their weights. */
  weighed<T extends { weight: number }>(from: readonly T[]): T;
  /** Whole numbers from 0 to 255. */
  bytes(count: number): Uint8Array;
}

/** @param name of what is drawn: other names draw independently of each other */
export function createRandom(name: string): Random {
  let block = 0;
  let left: number[] = [];
  const byte = (): number => {
    if (left.length === 0) left = [...createHash('sha256').update(`${name}:${block++}`).digest()];
    return left.pop() ?? 0;
  };
  const next = (): number => (byte() * 2 ** 16 + byte() * 2 ** 8 + byte()) / 2 ** 24;
  return {
    next,
    pick(from) {
      const one = from[Math.floor(next() * from.length)];
      if (one === undefined) throw new Error('There is nothing to pick from');
      return one;
    },
    weighed(from) {
      const total = from.reduce((sum, { weight }) => sum + weight, 0);
      let rest = next() * total;
      const found = from.find(({ weight }) => (rest -= weight) < 0) ?? from.at(-1);
      if (found === undefined) throw new Error('There is nothing to pick from');
      return found;
    },
    bytes: (count) => Uint8Array.from({ length: count }, byte),
  };
}
