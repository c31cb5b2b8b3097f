/** Compares stored days of attempts with the attempts, as roll-ups are compared with their leads. */
import type { Pace } from '../../lib/pace.js';
import { workUntilDeadline } from '../../lib/workUntilDeadline.js';
import type { AttemptDeps } from '../attemptDays.js';
import { timeZoneOf } from '../countBatches.js';
import { keepAttemptDay } from '../keepAttemptDay.js';
import { DAYS_PER_RUN, restFailed, type ComparingDeps } from './comparing.js';

/** Counts the due days again, the longest overdue first. Returns how many had been wrong. */
export async function recountAttemptDays(
  deps: AttemptDeps & ComparingDeps,
  pace: Pace,
): Promise<number> {
  const due = await deps.collections.attemptDays
    .find({ recount_at: { $lte: deps.clock.now() } })
    .sort({ recount_at: 1 })
    .limit(DAYS_PER_RUN)
    .toArray();
  return workUntilDeadline(due, {
    clock: deps.clock,
    async repair(day) {
      const time_zone = await timeZoneOf(day, deps.collections);
      const wasWrong = await keepAttemptDay(deps, { ...day, time_zone }, pace);
      return wasWrong ? 1 : 0;
    },
    failed: restFailed(deps, ({ _id }, recount_at) =>
      deps.collections.attemptDays.updateOne({ _id }, { $set: { recount_at } }),
    ),
  });
}
