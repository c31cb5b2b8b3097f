import type { ReconcileInput } from './messages.js';
import { repair } from './proxies.js';

/** Started every minute: finds what a crash or a lost signal left behind, and restarts it. */
export async function reconcile({ taskQueue }: ReconcileInput): Promise<void> {
  await repair(taskQueue).reconcile();
}
