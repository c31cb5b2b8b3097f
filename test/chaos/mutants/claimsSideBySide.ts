import { setTimeout as delay } from 'node:timers/promises';
import type { Deps } from '../../../src/app/deps.js';
import { noFaults, type Mutant } from './mutant.js';

/** Maximum difference between two claims on their way to the database, in milliseconds. */
const APART_MS = 10;

/** All fields are claimed at once: of two leads each may win one, and each is a duplicate of the other. */
const alter = (deps: Deps): Deps => ({
  ...deps,
  claims: {
    ...deps.claims,
    async claim(fields, now) {
      const lost = await Promise.all(
        fields.map(async (field) => {
          await delay(Math.random() * APART_MS);
          return deps.claims.claim([field], now);
        }),
      );
      return new Map(lost.flatMap((holders) => [...holders]));
    },
  },
});

export const claimsSideBySide: Mutant = {
  alter,
  caughtBy: ['no_winner'],
  needs: { campaigns: ['duplicates'], rate: 60, faults: noFaults },
};
