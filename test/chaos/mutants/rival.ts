/** For mutants of leads that are handed over in memory. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Deps } from '../../../src/app/deps.js';

/** By so much the workflow's own run is faster with its leads, in milliseconds. */
const AHEAD_MS = 30;

/**
 * As where Temporal gives the first task to another process, which takes the leads: two runs of each group, and the one
 * of the process that has stored it comes second.
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
