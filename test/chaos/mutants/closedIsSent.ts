import type { Deps } from '../../../src/app/deps.js';
import type { Plan } from '../../../src/account/rules/plan.js';
import { noFaults, type Mutant } from './mutant.js';

/** Plans are used without the opening hours of their buyers. */
const alter = (deps: Deps): Deps => ({
  ...deps,
  plans: {
    async get(ids) {
      const plans = await deps.plans.get(ids);
      return new Map([...plans].map(([id, plan]) => [id, alwaysOpen(plan)]));
    },
  },
});

const alwaysOpen = (plan: Plan): Plan => ({
  ...plan,
  buyers: plan.buyers.map((terms) => ({ ...terms, schedule: null })),
});

export const closedIsSent: Mutant = {
  alter,
  caughtBy: ['sent_while_closed'],
  needs: { campaigns: ['held_open'], rate: 20, faults: noFaults },
};
