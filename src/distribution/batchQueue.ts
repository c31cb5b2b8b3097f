/** Returns arriving items in batches. */
export function createBatchQueue<T>() {
  const items: T[] = [];
  let changed: () => void = () => undefined;
  let waiting = false;
  const onWaiting: (() => void)[] = [];
  const change = () => new Promise<void>((resolve) => (changed = resolve));
  return {
    put: (item: T): void => {
      items.push(item);
      changed();
    },
    /** All that has arrived: at least one, then further items until `ms` have passed or `most` are there. */
    gather: async (most: number, ms: number): Promise<T[]> => {
      waiting = items.length === 0;
      if (waiting) onWaiting.splice(0).forEach((resolve) => resolve());
      while (items.length === 0) await change();
      waiting = false;
      // Set by the timer itself, not by a clock: timers may fire a moment early.
      const time = { isOver: false };
      const timer = setTimeout(() => {
        time.isOver = true;
        changed();
      }, ms);
      while (items.length < most && !time.isOver) await change();
      clearTimeout(timer);
      return items.splice(0);
    },
    /** Resolves when a caller waits for an item and none is there. */
    untilWaiting: (): Promise<void> => {
      if (waiting) return Promise.resolve();
      return new Promise((resolve) => onWaiting.push(resolve));
    },
  };
}
