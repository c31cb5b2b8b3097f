import type { ReconcileInput } from './messages.js';
import { repair } from './proxies.js';

/** Started every minute: finds what a crash or a lost signal left behind, and restarts it. */
export async function reconcile({ taskQueue }: ReconcileInput): Promise<Repaired> {
  const mended = Object.entries(await repair(taskQueue).reconcile()).filter(
    ([, count]) => count > 0,
  );
  return { mended: Object.fromEntries(mended) };
}

/** How many of each kind were mended; in a healthy service none. */
export interface Repaired {
  mended: Record<string, number>;
}
