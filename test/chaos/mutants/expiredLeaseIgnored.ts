import { setTimeout as delay } from 'node:timers/promises';
import type { Deps } from '../../../src/app/deps.js';
import { decider, every, type Mutant } from './mutant.js';

/** Between the permission and the request, in milliseconds: a stop finds some leads there. */
const SLOW_MS = 400;
const TICK_MS = 20;
/** A longer time between two ticks counts as no time, in milliseconds. */
const STANDSTILL_MS = 1_000;

/**
 * The clock stands still while the process is stopped, so a run that resumes believes that its leads and
 * its permission to send are still its own.
 */
function alter(deps: Deps): Deps {
  let last = performance.now();
  let missing = 0;
  const elapsed = (): number => {
    const now = performance.now();
    if (now - last > STANDSTILL_MS) missing += now - last;
    last = now;
    return now - missing;
  };
  setInterval(elapsed, TICK_MS).unref();
  return {
    ...deps,
    deliveries: {
      ...deps.deliveries,
      async insertAttempts(rows) {
        const refused = await deps.deliveries.insertAttempts(rows);
        await delay(SLOW_MS);
        return refused;
      },
    },
    clock: { ...deps.clock, monotonic: elapsed },
    outbound: {
      ...deps.outbound,
      send: ({ sendBy: _, ...request }) => deps.outbound.send(request),
    },
  };
}

export const expiredLeaseIgnored: Mutant = {
  alter,
  caughtBy: ['sent_after_its_time', 'taken_twice', 'resent_blindly'],
  needs: {
    // Rows that are never sent again show how long the send was permitted.
    campaigns: ['holding', 'failing_over'],
    rate: 40,
    faults: (scene) =>
      every(10_000, scene, (at, n) => ({
        kind: 'stop',
        at,
        forMs: 9_000,
        targets: [decider(scene, n)],
      })),
  },
};
