import type { Deps } from '../../../src/app/deps.js';
import { noFaults, type Mutant } from './mutant.js';
import { withRival } from './rival.js';

/**
 * Leads are sold from memory although another run has acquired them: neither their lease nor the rows that it
 * has inserted are checked.
 */
function alter(given: Deps): Deps {
  const deps = withRival(given);
  const fromMemory = new Set<string>();
  return {
    ...deps,
    leads: {
      ...deps.leads,
      async acquireStored(stored, run, leaseUntil, now) {
        await deps.leads.acquireStored(stored, run, leaseUntil, now);
        fromMemory.add(run);
        return stored.map((lead) => ({ ...lead, run, takes: lead.takes + 1 }));
      },
    },
    deliveries: {
      ...deps.deliveries,
      async insertAttempts(rows) {
        const standing = await deps.deliveries.insertAttempts(rows);
        return new Map(
          [...standing].filter(([id]) => {
            const row = rows.find(({ _id }) => _id === id);
            return !row || !fromMemory.has(row.run);
          }),
        );
      },
    },
  };
}

export const takenFromMemory: Mutant = {
  alter,
  caughtBy: ['taken_twice', 'resent_blindly', 'taken_by_too_many'],
  needs: { campaigns: ['holding'], rate: 40, faults: noFaults, layout: 'together' },
};
