/** Answers as they arrive, handed out in handfuls. */
export interface Inbox<T> {
  put: (item: T) => void;
  /** All that has arrived: at least one, then whatever comes within `ms` or until `most` are there. */
  gather: (most: number, ms: number) => Promise<T[]>;
}

export function createInbox<T>(): Inbox<T> {
  const items: T[] = [];
  let changed: () => void = () => undefined;
  const change = () => new Promise<void>((resolve) => (changed = resolve));
  return {
    put: (item) => {
      items.push(item);
      changed();
    },
    gather: async (most, ms) => {
      while (items.length === 0) await change();
      const until = performance.now() + ms;
      const timer = setTimeout(() => changed(), ms);
      while (items.length < most && performance.now() < until) {
        await change();
      }
      clearTimeout(timer);
      return items.splice(0);
    },
  };
}
