import type { Deps } from '../../../src/app/deps.js';
import type { Mutant } from './mutant.js';

/** A lead that is promised a decision frees its key, as if its answer were not kept. */
function alter(deps: Deps): Deps {
  const free = async (leadIds: readonly string[]): Promise<void> => {
    await deps.collections.idempotency.deleteMany({ lead_id: { $in: [...leadIds] } });
  };
  return {
    ...deps,
    leads: {
      ...deps.leads,
      async park(run, handed, ...rest) {
        await deps.leads.park(run, handed, ...rest);
        await free(handed.map(({ leadId }) => leadId));
      },
      async promise(ids, now) {
        await deps.leads.promise(ids, now);
        await free(ids);
      },
    },
  };
}

export const keyFreedUnderPromise: Mutant = {
  alter,
  caughtBy: ['altered_body_taken', 'key_names_two_leads', 'answer_changed'],
  needs: {
    campaigns: ['honouring', 'holding'],
    rate: 10,
    suppliers: { keyed: 1, habits: { alters: 0.4, twice: 0.2 } },
    // All leads are parked.
    faults: ({ buyers, seconds }) => [
      { kind: 'buyer', at: 0, forMs: seconds * 1_000, mode: 'busy', targets: [...buyers] },
    ],
  },
};
