import { setTimeout as delay } from 'node:timers/promises';
import type { Deps } from '../../../src/app/deps.js';
import { findCrowdedOut, emptyCapState } from '../../../src/routing/rules/caps.js';
import { grant } from '../../routing/rules/capModel.js';
import { countersOf } from '../../../src/routing/store/capDocs.js';
import { noFaults, type Mutant } from './mutant.js';

/** Between reading and writing, in milliseconds: on a fast machine two runs would hardly ever overlap otherwise. */
const APART_MS = 30;

/** The counters are read, the reservations granted in memory, and the counters written back. */
function alter(deps: Deps): Deps {
  const { caps } = deps.collections;
  return {
    ...deps,
    caps: {
      ...deps.caps,
      async reserve({ id, limits, keys, candidates }) {
        const before = (await caps.findOne({ _id: id })) ?? { _id: id, ...emptyCapState() };
        const from = { ...countersOf(before), held: before.held };
        const { state, granted } = grant(from, limits, keys, candidates);
        await delay(APART_MS);
        const at = new Date();
        const held = state.held.map((hold) => ({ at, ...hold }));
        await caps.replaceOne({ _id: id }, { ...before, ...state, held }, { upsert: true });
        const mine = held.filter(({ hold_id }) => granted.includes(hold_id));
        return {
          held: new Map(mine.map((hold) => [hold.hold_id, hold.keys])),
          crowded: findCrowdedOut(state, limits, candidates),
          counters: state,
        };
      },
    },
  };
}

export const capReadThenWrite: Mutant = {
  alter,
  caughtBy: ['sold_over_cap', 'taken_over_cap', 'counter_over_cap'],
  needs: { campaigns: ['capped'], rate: 60, faults: noFaults },
};
