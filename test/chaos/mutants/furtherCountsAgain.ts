import type { Deps } from '../../../src/app/deps.js';
import { noFaults, type Mutant } from './mutant.js';

/** Each sale of a lead is one more lead to its supplier and its campaign. */
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
  // At rest: while leads are posted no counter can be held against the rows.
  needs: { campaigns: ['several'], rate: 30, faults: noFaults, loadFor: 20 },
};
