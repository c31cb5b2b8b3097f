import { setTimeout as delay } from 'node:timers/promises';
import type { Deps } from '../../../src/app/deps.js';
import type { Lead } from '../../../src/leads/rules/lead.js';
import { noFaults, type Mutant } from './mutant.js';
import { withRival } from './rival.js';

/** So long a lead is undecided after it was taken, in milliseconds: it is met in between. */
const UNDECIDED_MS = 150;

/** What another process decides is promised at once, and the promise is not stored: nothing keeps it. */
function alter(given: Deps): Deps {
  const deps = withRival(given);
  return {
    ...deps,
    claims: {
      ...deps.claims,
      async claim(...args) {
        await delay(UNDECIDED_MS);
        return deps.claims.claim(...args);
      },
    },
    leads: {
      ...deps.leads,
      async acquireStored(stored, run, leaseUntil, now) {
        const leads = await deps.leads.acquireStored(stored, run, leaseUntil, now);
        return leads.map((lead) => (lead.run === run ? lead : asPromised(lead)));
      },
    },
  };
}

const asPromised = (lead: Lead): Lead =>
  lead.status === 'NEW' ? { ...lead, status: 'PENDING', run: null } : lead;

export const promisedElsewhere: Mutant = {
  alter,
  caughtBy: ['answer_not_true'],
  needs: { campaigns: ['duplicates'], rate: 40, faults: noFaults, layout: 'together' },
};
