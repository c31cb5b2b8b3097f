/** A map that forgets what was used longest ago once it is full. */
import { LRUCache } from 'lru-cache';

/**
 * The value set last stays, even when it alone weighs more than the limit.
 * @param limit of the sum of weights, a whole number
 * @param weigh a whole number of 1 or more; by default each value weighs 1, and `limit` is how many there are
 */
export function lruMap<K extends string | number, V extends object | string | number | boolean>(
  limit: number,
  weigh: (value: V) => number = () => 1,
) {
  // With `max` it would allocate all slots at once; with sizes it grows with its content.
  const entries = new LRUCache<K, V>({
    maxSize: limit,
    sizeCalculation: (value) => Math.min(limit, weigh(value)),
  });
  return {
    get: (key: K): V | undefined => entries.get(key),
    set: (key: K, value: V): void => void entries.set(key, value),
    delete: (key: K): void => void entries.delete(key),
  };
}
