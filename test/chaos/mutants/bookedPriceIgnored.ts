import type { Deps } from '../../../src/app/deps.js';
import { noFaults, type Mutant } from './mutant.js';

/** The price that a buyer named is on the lead, but the counters keep its link's price. */
const alter = (deps: Deps): Deps => ({
  ...deps,
  caps: {
    ...deps.caps,
    commit: (id, outcomes) =>
      deps.caps.commit(
        id,
        outcomes.map(({ hold_id, fence }) => ({ hold_id, fence })),
      ),
  },
});

export const bookedPriceIgnored: Mutant = {
  alter,
  caughtBy: ['counter_amount_off', 'sent_without_room'],
  needs: { campaigns: ['booked'], rate: 30, faults: noFaults, loadFor: 20 },
};
