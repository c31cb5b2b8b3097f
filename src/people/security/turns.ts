/** Runs costly work a few at a time. Priority work waits in a separate queue, which strangers cannot fill. */
import { unavailable } from '../../lib/errors.js';

interface Limits {
  atOnce: number;
  /** Of each queue. */
  waitingMax: number;
}

export function createTurns({ atOnce, waitingMax }: Limits) {
  const first: (() => void)[] = [];
  const others: (() => void)[] = [];
  let running = 0;
  return {
    /** @throws {AppError} `unavailable` when too many wait */
    async take<T>(work: () => Promise<T>, goesFirst: boolean): Promise<T> {
      if (running >= atOnce) {
        const queue = goesFirst ? first : others;
        if (queue.length >= waitingMax) throw tooMany();
        // The finished work hands its turn over, so that no later caller takes it in between.
        await new Promise<void>((resolve) => queue.push(resolve));
      } else running += 1;
      try {
        return await work();
      } finally {
        const next = first.shift() ?? others.shift();
        if (next) next();
        else running -= 1;
      }
    },
  };
}

export const tooMany = () =>
  unavailable('Too many people are signing in right now. Try again in a few seconds.');
