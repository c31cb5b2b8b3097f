/** Asks the person to sign in or to confirm the password, while a request waits. */

/** What a request lacked; `membership`: the person who is signed in now does not have the page's. */
export type Lack = 'session' | 'confirmation' | 'membership';

interface Question {
  lack: Lack;
  answer(isDone: boolean): void;
  promise: Promise<boolean>;
}

let question: Question | null = null;
/** When the person canceled the last question, by the clock of the page; null: it was answered. */
let canceledAt: number | null = null;
const listeners = new Set<() => void>();
const notify = (): void => {
  for (const listener of listeners) listener();
};

/** The request that asks. */
interface Asking {
  lack: Lack;
  /** When it was begun, by the clock of the page. */
  began: number;
  /** The page shows what it reads again. */
  isRefresh: boolean;
}

/**
 * Resolves with true once the person has done it, with false when the person cancels. Requests that wait share it. After a
 * cancellation neither a request that was begun before nor a refresh asks once more.
 */
export function askForSession({ lack, began, isRefresh }: Asking): Promise<boolean> {
  if (question) return question.promise;
  if (canceledAt !== null && (isRefresh || began < canceledAt)) return Promise.resolve(false);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  question = {
    lack,
    promise,
    answer(isDone) {
      question = null;
      canceledAt = isDone ? null : performance.now();
      notify();
      resolve(isDone);
    },
  };
  notify();
  return promise;
}

/** For `useSyncExternalStore`: the question that is open now. */
export const openQuestion = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  get: (): Question | null => question,
};
