/** What a process of the service and the supervisor that started it tell each other. */
import cluster from 'node:cluster';

/** Its only message: it does its work from now on. */
export interface ReadyMessage {
  /** Where its API answers; null in roles without one. */
  url: string | null;
}

/** Whether a supervisor started this process, and decides when it stops. */
export const isSupervised = cluster.isWorker;

/** Without a supervisor nothing happens. */
export function reportReady(url: string | null): void {
  const message: ReadyMessage = { url };
  // A callback, so that a supervisor that just ended is no error here.
  if (isSupervised) process.send?.(message, undefined, undefined, () => undefined);
}
