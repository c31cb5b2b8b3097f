/** Tracks leads that are being ended while the others of their group continue: no other sale waits for them. */
import type { Task } from './task.js';

export function createTaskTracker() {
  const begun = new Set<Task>();
  const running: Promise<void>[] = [];
  const faults: unknown[] = [];
  return {
    /** Begins to end these; an empty list does nothing. A failure is kept for `ended`. */
    begin(tasks: readonly Task[], work: () => Promise<void>): void {
      if (tasks.length === 0) return;
      tasks.forEach((task) => begun.add(task));
      running.push(work().catch((error: unknown) => void faults.push(error)));
    },
    /** True for a lead whose ending was begun, even if it has failed. */
    has: (task: Task): boolean => begun.has(task),
    /** Resolves when every ending that was begun is over, with the failures. */
    async ended(): Promise<unknown[]> {
      let waitedFor = 0;
      while (waitedFor < running.length) {
        waitedFor = running.length;
        await Promise.all(running);
      }
      return faults;
    },
  };
}
