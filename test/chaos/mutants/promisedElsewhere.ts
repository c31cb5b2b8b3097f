import { setTimeout as delay } from 'node:timers/promises';
import type { Deps } from '../../../src/app/deps.js';
import type { Lead } from '../../../src/leads/rules/lead.js';
import { noFaults, type Mutant } from './mutant.js';
import { withRival } from './rival.js';

/**
 * How long a lead stays undecided after it was acquired, in milliseconds: the run that comes second finds it in this time,
 * and so do duplicates.
 */
const UNDECIDED_MS = 900;

/** A lead that another process decides is answered `pending` at once, but `PENDING` is not stored. */
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
