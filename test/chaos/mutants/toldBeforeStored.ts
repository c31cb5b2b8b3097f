import { setTimeout as delay } from 'node:timers/promises';
import type { Deps } from '../../../src/app/deps.js';
import { decider, every, kill, type Mutant } from './mutant.js';

/** Delay of each write, in milliseconds: a kill finds some leads there. */
const LATER_MS = 300;

/** Resolves at once, with nothing written yet. */
function later(write: () => Promise<unknown>): Promise<void> {
  void delay(LATER_MS)
    .then(write)
    .catch(() => undefined);
  return Promise.resolve();
}

/** The supplier is answered from memory: the buyer's answer and the decision are stored a moment later. */
const alter = (deps: Deps): Deps => ({
  ...deps,
  deliveries: {
    ...deps.deliveries,
    async settle(run, results, now) {
      await later(() => deps.deliveries.settle(run, results, now));
      return new Set(results.map(({ id }) => id));
    },
  },
  leads: {
    ...deps.leads,
    decide: (...args) => later(() => deps.leads.decide(...args)),
    sell: (...args) => later(() => deps.leads.sell(...args)),
  },
});

export const toldBeforeStored: Mutant = {
  alter,
  caughtBy: ['answer_not_true'],
  needs: {
    // A buyer that does not honor keys is not asked again: nothing makes the answer true afterwards.
    campaigns: ['holding'],
    rate: 40,
    faults: (scene) => every(8_000, scene, (at, n) => kill(at, decider(scene, n))),
  },
};
