import { heartbeat } from '@temporalio/activity';

const HEARTBEAT_MS = 10_000;

/** Does the work of an activity, and reports to Temporal every 10 s that its process is alive. */
export async function withHeartbeat<T>(work: () => Promise<T>): Promise<T> {
  const beat = setInterval(() => heartbeat(), HEARTBEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(beat);
  }
}
