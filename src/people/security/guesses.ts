/**
 * How many guesses an attacker needs for a password (zxcvbn: the 49,000 commonest passwords, the very commonest put
 * together, repetitions, sequences, keyboards and dates). A separate thread estimates it: a long password takes some hundred
 * milliseconds, in which the process could serve no request. The thread ends after a minute without questions, because its
 * lists take some 25 MiB.
 */
import { Worker } from 'node:worker_threads';
import { unavailable, type AppError } from '../../lib/errors.js';
import type { Log } from '../../lib/log.js';

export interface GuessQuestion {
  id: number;
  password: string;
  /** Which this attacker tries first. */
  words: string[];
}

export interface GuessAnswer {
  id: number;
  guesses: number;
}

/** A second's work; some ten if each is as long as a password may be. */
const WAITING_MAX = 60;
const IDLE_MS = 60_000;

export function createGuesses(log: Pick<Log, 'warn'>) {
  const waiting = new Map<number, PromiseWithResolvers<number>>();
  let thread: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let lastId = 0;

  const start = (): Worker => {
    const worker = new Worker(new URL('./guessThread.js', import.meta.url), { execArgv: [] });
    worker.unref();
    worker.on('message', ({ id, guesses }: GuessAnswer) => {
      waiting.get(id)?.resolve(guesses);
      waiting.delete(id);
    });
    // An error ends the thread; the next password starts another.
    worker.on('error', (error) => {
      log.warn({ err: error }, 'the thread that checks passwords failed');
    });
    worker.on('exit', () => {
      if (thread !== worker) return;
      thread = undefined;
      waiting.forEach(({ reject }) => reject(cannotCheck()));
      waiting.clear();
    });
    return worker;
  };
  const stop = (): void => {
    const ending = thread;
    thread = undefined;
    void ending?.terminate();
  };

  return {
    /**
     * The estimated number of guesses.
     * @throws {AppError} `unavailable` when too many wait, or the thread ends
     */
    async of(password: string, words: readonly string[]): Promise<number> {
      if (waiting.size >= WAITING_MAX) throw cannotCheck();
      clearTimeout(idle);
      thread ??= start();
      const id = (lastId += 1);
      const answer = Promise.withResolvers<number>();
      waiting.set(id, answer);
      const question: GuessQuestion = { id, password, words: [...words] };
      thread.postMessage(question);
      try {
        return await answer.promise;
      } finally {
        if (waiting.size === 0) {
          // Several questions may end at once, when the thread fails.
          clearTimeout(idle);
          idle = setTimeout(stop, IDLE_MS).unref();
        }
      }
    },
  };
}

export const cannotCheck = (): AppError =>
  unavailable('The password cannot be checked now. Try again in a few seconds.');
