/** Weighted drawing that gives the same order for the same seed. */
import { createHash } from 'node:crypto';

/** A lot: an id and its share of the whole. */
export interface Lot {
  id: string;
  /** Relative to the others; 0 is never drawn. */
  weight: number;
}

/** 48 bits are exact in a double and finer than any share. */
const DRAW_BYTES = 6;
const DRAWS = 2 ** (8 * DRAW_BYTES);

/**
 * All lots with a weight, drawn one after the other without replacement: each draw uses the shares of those
 * left. The order of the input does not matter; the same seed and lots give the same order everywhere.
 */
export function drawOrder(lots: readonly Lot[], seed: string): string[] {
  let left = lots.filter(({ weight }) => weight > 0).sort((a, b) => (a.id < b.id ? -1 : 1));
  const order: string[] = [];
  while (left.length > 0) {
    const total = left.reduce((sum, { weight }) => sum + weight, 0);
    const drawn = lotAt(left, fraction(`${seed}:${order.length}`) * total);
    order.push(drawn.id);
    left = left.filter((lot) => lot !== drawn);
  }
  return order;
}

/** In [0, 1), evenly distributed over all texts. */
function fraction(text: string): number {
  const hash = createHash('sha256').update(text).digest();
  return hash.readUIntBE(0, DRAW_BYTES) / DRAWS;
}

/** The lot whose interval of the line from 0 to the sum of the weights contains the point. */
function lotAt(lots: readonly Lot[], point: number): Lot {
  let end = 0;
  for (const lot of lots) {
    end += lot.weight;
    if (point < end) return lot;
  }
  const [last] = lots.slice(-1);
  if (!last) throw new Error('Nothing is left to be drawn');
  return last;
}
