/** Asks the person to sign in or to confirm the password, while a request waits. */

/** What a request lacked; `membership`: the person who is signed in now does not have the page's. */
export type Lack = 'session' | 'confirmation' | 'membership';

interface Question {
  lack: Lack;
  answer(isDone: boolean): void;
  promise: Promise<boolean>;
}

let question: Question | null = null;
const listeners = new Set<() => void>();
const notify = (): void => {
  for (const listener of listeners) listener();
};

/** Resolves with true once the person has done it, with false when the person cancels. Requests that wait share it. */
export function askForSession(lack: Lack): Promise<boolean> {
  if (question) return question.promise;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  question = {
    lack,
    promise,
    answer(isDone) {
      question = null;
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
