import { randomUUID } from 'node:crypto';
import type { Deps } from '../../../src/deps.js';
import { noFaults, type PlantedBug } from './plantedBug.js';

/** Each request has a key of its own: no buyer can know that it has the lead already. */
const alter = (deps: Deps): Deps => ({
  ...deps,
  outbound: {
    ...deps.outbound,
    send: (request) =>
      deps.outbound.send({
        ...request,
        headers: { ...request.headers, 'idempotency-key': randomUUID() },
      }),
  },
});

export const newKeyPerTry: PlantedBug = {
  alter,
  caughtBy: ['key_changed', 'taken_twice'],
  needs: { campaigns: ['flaky'], rate: 40, faults: noFaults },
};
