/** Work that many callers ask for at once, done for all of them together. */

interface Turn<T> {
  now: Promise<T>;
  /** What begins when `now` is over. */
  next?: Promise<T>;
}

/**
 * Of each key at most one turn of work runs, and one waits. A caller gets the result of a turn that began after it asked:
 * its own when nothing runs, otherwise the next, which all share that ask meanwhile.
 */
export function createSharedTurns<T>(): (key: string, work: () => Promise<T>) => Promise<T> {
  const turns = new Map<string, Turn<T>>();
  const begin = (key: string, work: () => Promise<T>): Promise<T> => {
    const turn: Turn<T> = { now: work() };
    turns.set(key, turn);
    const forget = (): void => {
      if (!turn.next) turns.delete(key);
    };
    turn.now.then(forget, forget);
    return turn.now;
  };
  return (key, work) => {
    const turn = turns.get(key);
    if (!turn) return begin(key, work);
    const then = (): Promise<T> => begin(key, work);
    turn.next ??= turn.now.then(then, then);
    return turn.next;
  };
}
