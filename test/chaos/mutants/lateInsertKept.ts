import { setTimeout as delay } from 'node:timers/promises';
import type { Deps } from '../../../src/app/deps.js';
import { noFaults, type Mutant } from './mutant.js';

/** One insert in this many takes effect late. */
const ONE_IN = 20;
/** Long enough that its requests have been refused meanwhile. */
const LATE_MS = 6_000;

/** Leads that are still on their way are not withdrawn: they are stored after their refusal, with a run. */
const alter = (deps: Deps): Deps => {
  let inserts = 0;
  return {
    ...deps,
    leads: {
      ...deps.leads,
      async insert(leads) {
        if (++inserts % ONE_IN === 0) await delay(LATE_MS);
        await deps.leads.insert(leads);
      },
      withdrawCalledOff: (own, _run, now) =>
        deps.leads.withdraw(
          own.map(({ _id }) => _id),
          now,
        ),
    },
  };
};

export const lateInsertKept: Mutant = {
  alter,
  caughtBy: ['refused_but_taken'],
  needs: { campaigns: ['honouring', 'holding'], rate: 40, faults: noFaults, layout: 'together' },
};
