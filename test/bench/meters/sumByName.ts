import { getOwn } from '../../../src/lib/getOwn.js';

/** A value of each process, summed by name: several processes may have the same role. */
export function sumByName<T extends { name: string }>(
  processes: readonly T[],
  valueOf: (process: T) => number,
): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const one of processes) sums[one.name] = (getOwn(sums, one.name) ?? 0) + valueOf(one);
  return sums;
}
