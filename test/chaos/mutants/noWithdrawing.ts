import type { Deps } from '../../../src/app/deps.js';
import { every, type Mutant } from './mutant.js';

/** Long enough for a request to time out, short enough for its lead to be acquired in time all the same. */
const STOPPED_MS = 3_500;

/** A request that could not be handed over is answered 503, and its lead is not withdrawn. */
const alter = (deps: Deps): Deps => ({
  ...deps,
  leads: {
    ...deps.leads,
    withdraw: (ids) => Promise.resolve(new Set(ids)),
    withdrawCalledOff: (own) => Promise.resolve(new Set(own.map(({ _id }) => _id))),
  },
});

export const noWithdrawing: Mutant = {
  alter,
  caughtBy: ['refused_but_taken'],
  needs: {
    campaigns: ['honouring', 'holding'],
    rate: 40,
    faults: (scene) =>
      every(8_000, scene, (at) => ({
        kind: 'stop',
        at,
        forMs: STOPPED_MS,
        targets: ['temporal'],
      })),
  },
};
