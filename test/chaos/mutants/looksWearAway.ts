import type { Deps } from '../../../src/app/deps.js';
import type { Outcome } from '../../../src/routing/rules/caps.js';
import { busyOverMidnight, type Mutant } from './mutant.js';

/**
 * A lead that waits since an earlier day is checked, and its supplier or campaign has no room today: its reservation
 * is released in all windows, including those in which only its row had been counted.
 */
const alter = (deps: Deps): Deps => ({
  ...deps,
  caps: {
    ...deps.caps,
    async commit(id, outcomes) {
      const held = await holdsIn(id, deps);
      const isPutBack = ({ hold_id, keys }: Outcome): boolean =>
        keys !== undefined && held.get(hold_id) !== undefined && held.get(hold_id) !== keys.day;
      await deps.caps.release(id, outcomes.filter(isPutBack));
      await deps.caps.commit(
        id,
        outcomes.filter((outcome) => !isPutBack(outcome)),
      );
    },
  },
});

/** The day in which each reservation of a link is counted. */
async function holdsIn(
  id: string,
  { collections }: Pick<Deps, 'collections'>,
): Promise<Map<string, string>> {
  const link = await collections.caps.findOne({ _id: id });
  return new Map((link?.held ?? []).map(({ hold_id, keys }) => [hold_id, keys.day]));
}

export const looksWearAway: Mutant = {
  alter,
  caughtBy: ['counter_off', 'counter_amount_off', 'sold_over_cap', 'taken_over_cap'],
  // Judged after the load: while leads are posted, counters cannot be compared with rows.
  needs: {
    campaigns: ['midnight', 'midnight_own'],
    rate: 12,
    faults: busyOverMidnight,
    turn: 'day',
    loadFor: 24,
  },
};
