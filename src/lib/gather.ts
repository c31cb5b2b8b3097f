/** Answers together what is asked for at nearly the same time: one command to the database in the place of many. */

export interface GatherOptions<T, R> {
  /** How long the first item waits for others, in milliseconds; 0: for those of the same turn of the event loop. */
  waitMs: number;
  /** Maximum items that are answered together. */
  max: number;
  /** Answers each item, in order. */
  answer: (items: readonly T[]) => readonly (Promise<R> | undefined)[];
}

interface Waiting<T, R> {
  item: T;
  settle: PromiseWithResolvers<R>;
}

/** Every item is answered by work that begins after it came. */
export function createGather<T, R>({ waitMs, max, answer }: GatherOptions<T, R>) {
  let waiting: Waiting<T, R>[] = [];
  /** Number of groups so far: a timer whose group was answered before, because it was full, does nothing. */
  let groups = 0;

  const flush = (): void => {
    groups += 1;
    const group = waiting;
    waiting = [];
    try {
      const answers = answer(group.map(({ item }) => item));
      group.forEach(({ settle }, n) => settle.resolve(answers[n] ?? unanswered()));
    } catch (error) {
      group.forEach(({ settle }) => settle.reject(error));
    }
  };

  const flushLater = (group: number): void => {
    const flushGroup = (): void => {
      if (group === groups) flush();
    };
    if (waitMs === 0) setImmediate(flushGroup);
    else setTimeout(flushGroup, waitMs);
  };

  return (item: T): Promise<R> => {
    const settle = Promise.withResolvers<R>();
    waiting.push({ item, settle });
    if (waiting.length >= max) flush();
    else if (waiting.length === 1) flushLater(groups);
    return settle.promise;
  };
}

const unanswered = (): Promise<never> =>
  Promise.reject(new Error('An item of a group was not answered'));
