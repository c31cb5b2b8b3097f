/** A map that forgets what was used longest ago once it is full. What was set last stays, whatever it weighs. */
export interface BoundedMap<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): void;
  delete(key: K): void;
}

/**
 * @param limit of the sum of weights
 * @param weigh says the same of a value each time; without it each weighs 1, and `limit` is how many there are
 */
export function boundedMap<K, V>(
  limit: number,
  weigh: (value: V) => number = () => 1,
): BoundedMap<K, V> {
  const entries = new Map<K, V>();
  // It goes on where it stopped: from the start it would pass the places of all that was removed, each time.
  let oldest = entries.keys();
  let weight = 0;
  const remove = (key: K): void => {
    const value = entries.get(key);
    if (value === undefined) return;
    entries.delete(key);
    weight -= weigh(value);
  };
  return {
    get(key) {
      const value = entries.get(key);
      if (value === undefined) return undefined;
      // A Map keeps the order of insertion: the oldest use is always in front.
      entries.delete(key);
      entries.set(key, value);
      return value;
    },
    set(key, value) {
      remove(key);
      entries.set(key, value);
      weight += weigh(value);
      while (weight > limit && entries.size > 1) {
        const next = oldest.next();
        if (next.done) oldest = entries.keys();
        else remove(next.value);
      }
    },
    delete: remove,
  };
}
