/** For mutants of leads handed over in memory. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Deps } from '../../../src/app/deps.js';

/** How much later the run acquires its leads, in milliseconds: a workflow looks for leads that it has not found every 500. */
const AHEAD_MS = 700;

/**
 * As if Temporal gave the first task to another process, which acquires the leads: two runs of each group, and the
 * run of the process that stored it comes second.
 */
export const withRival = (deps: Deps): Deps => ({
  ...deps,
  localRuns: { ...deps.localRuns, take: () => undefined },
  leads: {
    ...deps.leads,
    async acquireStored(...args) {
      await delay(AHEAD_MS);
      return deps.leads.acquireStored(...args);
    },
  },
});
