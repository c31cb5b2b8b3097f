/**
 * Repeats some work, never twice at once, and keeps no process running.
 * @param everyMs milliseconds from one beginning to the next; a turn that takes longer delays the next
 * @param work must not reject
 * @returns a function that stops it, and resolves when the turn under way is over
 */
export function repeatInBackground(
  everyMs: number,
  work: () => Promise<unknown>,
): () => Promise<void> {
  let turn: Promise<unknown> | null = null;
  const timer = setInterval(() => {
    turn ??= work().finally(() => (turn = null));
  }, everyMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await turn;
  };
}
