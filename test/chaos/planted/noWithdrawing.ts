import type { Deps } from '../../../src/deps.js';
import { every, kill, type PlantedBug } from './plantedBug.js';

/** A request that could not be handed over is answered 503, and its lead is left where it is. */
const alter = (deps: Deps): Deps => ({
  ...deps,
  leads: { ...deps.leads, withdraw: (ids) => Promise.resolve(new Set(ids)) },
});

export const noWithdrawing: PlantedBug = {
  alter,
  caughtBy: ['refused_but_taken'],
  needs: {
    campaigns: ['honouring', 'holding'],
    rate: 40,
    faults: (scene) => every(10_000, scene, (at) => kill(at, 'temporal')),
  },
};
