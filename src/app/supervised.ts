/** The messages between a process of the service and the supervisor that started it. */
import cluster from 'node:cluster';

/** The only message of a process: it serves from now on. */
export interface ReadyMessage {
  /** Where its API answers; null in roles without one. */
  url: string | null;
}

/** Whether a supervisor started this process, and decides when it stops. */
export const isSupervised = cluster.isWorker;

/** No effect without a supervisor. */
export function reportReady(url: string | null): void {
  const message: ReadyMessage = { url };
  // A callback, so that a supervisor that has just exited causes no error here.
  if (isSupervised) process.send?.(message, undefined, undefined, () => undefined);
}
