import { setTimeout as delay } from 'node:timers/promises';
import type { Deps } from '../../../src/app/deps.js';
import { rowId } from '../../../src/distribution/task.js';
import { decider, every, kill, type Mutant } from './mutant.js';

/** How late the buyer's answer is in its row, in milliseconds: a kill finds some sold leads without it. */
const LATE_MS = 300;

/** A sale ends its reservation before the row is settled: nobody finds the row of a process that died in between. */
const alter = (deps: Deps): Deps => ({
  ...deps,
  deliveries: {
    ...deps.deliveries,
    async settle(...args) {
      await delay(LATE_MS);
      return deps.deliveries.settle(...args);
    },
  },
  leads: {
    ...deps.leads,
    async sellOwn(run, sold, ...rest) {
      const areSold = await deps.leads.sellOwn(run, sold, ...rest);
      const ids = sold.map(({ leadId, sale }) => rowId(leadId, sale.attempt));
      await deps.collections.caps.updateMany(
        { 'held.hold_id': { $in: ids } },
        { $pull: { held: { hold_id: { $in: ids } } } },
      );
      return areSold;
    },
  },
});

export const holdEndsBeforeRow: Mutant = {
  alter,
  caughtBy: ['row_still_sending'],
  needs: {
    campaigns: ['honouring', 'holding'],
    rate: 40,
    faults: (scene) => every(8_000, scene, (at, n) => kill(at, decider(scene, n))),
    loadFor: 20,
  },
};
