/** Collects arriving items, and returns them in batches to one caller. */
export function createBatchQueue<T>() {
  const items: T[] = [];
  let arrival = Promise.withResolvers<undefined>();
  let idle = Promise.withResolvers<undefined>();
  return {
    put: (item: T): void => {
      items.push(item);
      arrival.resolve(undefined);
      arrival = Promise.withResolvers();
    },
    /** All that has arrived: at least one, then further items until `ms` have passed or `most` are there. */
    gather: async (most: number, ms: number): Promise<T[]> => {
      if (items.length === 0) {
        idle.resolve(undefined);
        await arrival.promise;
        idle = Promise.withResolvers();
      }
      // By the timer itself, not by a clock: timers may fire a moment early.
      const late = Promise.withResolvers<boolean>();
      const timer = setTimeout(late.resolve, ms, true);
      let isLate = false;
      while (items.length < most && !isLate)
        isLate = await Promise.race([late.promise, arrival.promise.then(() => false)]);
      clearTimeout(timer);
      return items.splice(0);
    },
    /** Resolves when the caller waits for an item and none is there. */
    untilWaiting: (): Promise<void> => idle.promise,
  };
}
