/** Answers as they arrive, handed out in handfuls. */
export interface Inbox<T> {
  put: (item: T) => void;
  fail: (error: unknown) => void;
  /** All that has arrived: at least one, then whatever comes within `ms` or until `most` are there. */
  gather: (most: number, ms: number) => Promise<T[]>;
}

export function createInbox<T>(): Inbox<T> {
  const items: T[] = [];
  const failures: unknown[] = [];
  let changed: () => void = () => undefined;
  const change = () => new Promise<void>((resolve) => (changed = resolve));
  return {
    put: (item) => {
      items.push(item);
      changed();
    },
    fail: (error) => {
      failures.push(error);
      changed();
    },
    gather: async (most, ms) => {
      while (items.length === 0 && failures.length === 0) await change();
      const until = performance.now() + ms;
      const timer = setTimeout(() => changed(), ms);
      while (items.length < most && failures.length === 0 && performance.now() < until) {
        await change();
      }
      clearTimeout(timer);
      // A fault of our own in sending: stop loudly, the rows bring the leads back.
      if (failures.length > 0) throw failures[0];
      return items.splice(0);
    },
  };
}
