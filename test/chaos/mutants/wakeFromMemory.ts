import type { Deps } from '../../../src/app/deps.js';
import { wakeDestinations } from '../../../src/deliveries/destinations/wake.js';
import type { Mutant } from './mutant.js';

/** How long a process believes that a buyer is still being drained, in milliseconds. */
const REMEMBERED_MS = 60_000;

/** A buyer woken a moment ago is not woken again, although its drain may have checked for the last time. */
function alter(deps: Deps): Deps {
  const { clock, log, starter, background } = deps;
  const awakeUntil = new Map<string, number>();
  const destinations: Deps['destinations'] = {
    ...deps.destinations,
    async wake(buyerId, orgId, now) {
      if ((awakeUntil.get(buyerId) ?? 0) > clock.monotonic()) return false;
      awakeUntil.set(buyerId, clock.monotonic() + REMEMBERED_MS);
      return deps.destinations.wake(buyerId, orgId, now);
    },
  };
  return {
    ...deps,
    destinations,
    wake: (buyerIds: readonly string[], orgId: string, options?: { recovered: boolean }) => {
      const woken = { destinations, starter, clock, log };
      const recovered = options?.recovered ?? false;
      background.add(wakeDestinations(buyerIds, { orgId, recovered }, woken));
    },
  };
}

const LOAD_S = 20;

export const wakeFromMemory: Mutant = {
  alter,
  caughtBy: ['lead_undecided'],
  needs: {
    campaigns: ['honouring', 'holding', 'failing_over'],
    rate: 40,
    // Busy once, recovered, and busy when the last leads come: no later lead wakes the drain.
    faults: ({ buyers }) => [
      { kind: 'buyer', at: (LOAD_S - 9) * 1_000, forMs: 500, targets: [...buyers], mode: 'busy' },
      { kind: 'buyer', at: (LOAD_S - 1) * 1_000, forMs: 4_000, targets: [...buyers], mode: 'busy' },
    ],
    loadFor: LOAD_S,
  },
};
