import type { Deps } from '../../../src/app/deps.js';
import type { Plan } from '../../../src/account/rules/plan.js';
import type { Mutant } from './mutant.js';

/** Marks the version of a campaign that a lead is asked again by. */
const AGAIN = '#again';

/** Whoever asks again takes the mode of every buyer for the one of the beginning: live. */
const alter = (deps: Deps): Deps => ({
  ...deps,
  collections: { ...deps.collections, campaigns: marking(deps.collections.campaigns) },
  plans: {
    async get(ids) {
      const plans = await deps.plans.get(ids.map((id) => id.replace(AGAIN, '')));
      const read = ids.flatMap((id): [string, Plan][] => {
        const plan = plans.get(id.replace(AGAIN, ''));
        return plan ? [[id, id.endsWith(AGAIN) ? live(plan) : plan]] : [];
      });
      return new Map(read);
    },
  },
});

const live = (plan: Plan): Plan => ({
  ...plan,
  buyers: plan.buyers.map((terms) => ({ ...terms, test_mode: false })),
});

type Campaigns = Deps['collections']['campaigns'];

/** Answers the question for current versions, which is asked for leads that are not decided for the first time. */
function marking(campaigns: Campaigns): Campaigns {
  const find = (...asked: Parameters<Campaigns['find']>) => {
    const cursor = campaigns.find(...asked);
    const [, options] = asked;
    if (JSON.stringify(options?.projection) !== '{"plan_version":1}') return cursor;
    return {
      toArray: async () =>
        (await cursor.toArray()).map((one) => ({
          ...one,
          plan_version: `${one.plan_version}${AGAIN}`,
        })),
    };
  };
  return new Proxy(campaigns, {
    get(target, name) {
      if (name === 'find') return find;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

/** The buyers are in test mode from here on, in milliseconds. */
const TEST_FROM_MS = 3_000;
/** Until long after that they take nothing: what they are sent by then counts as chosen before (`CHOSEN_WITHIN_MS`). */
const BUSY_MS = 17_000;
const TEST_MS = 50_000;

export const modeNotAskedAgain: Mutant = {
  alter,
  caughtBy: ['sent_in_test_mode'],
  needs: {
    campaigns: ['failing_over'],
    rate: 20,
    // Leads wait, their buyers are set to test mode, and some time later the buyers take leads again.
    faults: ({ buyers }) => [
      { kind: 'buyer', at: 0, forMs: BUSY_MS, targets: [...buyers], mode: 'busy' },
      { kind: 'test_mode', at: TEST_FROM_MS, forMs: TEST_MS, targets: [...buyers] },
    ],
  },
};
