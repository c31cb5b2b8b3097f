/** How much of something this process does for strangers: so many at once, and then so many a second. */
import type { Clock } from '../../lib/clock.js';

export interface BudgetLimits {
  atOnce: number;
  perSecond: number;
}

export function createBudget(clock: Pick<Clock, 'monotonic'>, { atOnce, perSecond }: BudgetLimits) {
  let left = atOnce;
  let at = clock.monotonic();
  return {
    /** Whether there is one left; it is used then. */
    take(): boolean {
      const now = clock.monotonic();
      left = Math.min(atOnce, left + ((now - at) / 1_000) * perSecond);
      at = now;
      if (left < 1) return false;
      left -= 1;
      return true;
    },
  };
}
