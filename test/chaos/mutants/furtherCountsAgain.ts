import type { Deps } from '../../../src/app/deps.js';
import { noFaults, type Mutant } from './mutant.js';

/** Each sale of a lead counts one more lead for its supplier and its campaign. */
const alter = (deps: Deps): Deps => ({
  ...deps,
  caps: {
    ...deps.caps,
    reserve: (request) =>
      deps.caps.reserve({
        ...request,
        candidates: request.candidates.map((candidate) => ({ ...candidate, leads: 1 as const })),
      }),
  },
});

export const furtherCountsAgain: Mutant = {
  alter,
  caughtBy: ['counter_off'],
  // Judged after the load: while leads are posted, counters cannot be compared with rows.
  needs: { campaigns: ['several'], rate: 30, faults: noFaults, loadFor: 20 },
};
