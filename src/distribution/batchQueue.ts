/** Returns arriving items in batches. */
export interface BatchQueue<T> {
  put: (item: T) => void;
  /** All that has arrived: at least one, then further items until `ms` have passed or `most` are there. */
  gather: (most: number, ms: number) => Promise<T[]>;
  /** Resolves when a caller waits for an item and none is there. */
  untilWaiting: () => Promise<void>;
}

export function createBatchQueue<T>(): BatchQueue<T> {
  const items: T[] = [];
  let changed: () => void = () => undefined;
  let waiting = false;
  const onWaiting: (() => void)[] = [];
  const change = () => new Promise<void>((resolve) => (changed = resolve));
  return {
    put: (item) => {
      items.push(item);
      changed();
    },
    gather: async (most, ms) => {
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
    untilWaiting: () => {
      if (waiting) return Promise.resolve();
      return new Promise((resolve) => onWaiting.push(resolve));
    },
  };
}
