import type { Deps } from '../../../src/app/deps.js';
import { noFaults, type Mutant } from './mutant.js';

/** One insert in this many fails. */
const ONE_IN = 20;

/** A group whose insert failed continues from memory: its workflow starts, and it is sold. */
function alter(deps: Deps): Deps {
  let inserts = 0;
  const failed = new Set<string>();
  return {
    ...deps,
    leads: {
      ...deps.leads,
      async insert(leads) {
        if (++inserts % ONE_IN === 0) leads.forEach(({ _id }) => failed.add(_id));
        else await deps.leads.insert(leads);
      },
      async acquireStored(stored, run, leaseUntil, now) {
        const own = await deps.leads.acquireStored(stored, run, leaseUntil, now);
        const lost = stored.filter(({ _id }) => failed.has(_id));
        return [...own, ...lost.map((lead) => ({ ...lead, run, takes: lead.takes + 1 }))];
      },
    },
  };
}

export const failedInsertIgnored: Mutant = {
  alter,
  caughtBy: ['acknowledged_lead_missing', 'request_for_unknown_lead'],
  needs: { campaigns: ['honouring'], rate: 40, faults: noFaults, layout: 'together' },
};
