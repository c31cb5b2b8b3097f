import { setTimeout as delay } from 'node:timers/promises';
import type { Deps } from '../../../src/app/deps.js';
import { NO_TURNS } from '../../../src/routing/rules/turns.js';
import { noFaults, type Mutant } from './mutant.js';

/** Between reading the turns and writing them back, in milliseconds. */
const GAP_MS = 5;

/** The turns are read, taken in memory and written back, without a check for turns taken meanwhile. */
const alter = (deps: Deps): Deps => ({
  ...deps,
  turns: {
    ...deps.turns,
    async take(campaignId, step) {
      const { turns } = deps.collections;
      const { seq, last } = (await turns.findOne({ _id: campaignId })) ?? NO_TURNS;
      const next = step({ seq, last });
      await delay(GAP_MS);
      await turns.replaceOne({ _id: campaignId }, { ...next.turns }, { upsert: true });
      return next.result;
    },
  },
});

export const turnWithoutCompare: Mutant = {
  alter,
  caughtBy: ['turn_taken_twice'],
  needs: { campaigns: ['turns', 'bids'], rate: 60, faults: noFaults },
};
