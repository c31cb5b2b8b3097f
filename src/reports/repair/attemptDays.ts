/** Compares stored days of attempts with the attempts, as roll-ups are compared with their leads. */
import type { Pace } from '../../lib/pace.js';
import type { AttemptDeps } from '../attemptDays.js';
import { timeZoneOf } from '../countBatches.js';
import { keepAttemptDay } from '../keepAttemptDay.js';
import type { AttemptDayDoc } from '../store/attemptDayDocs.js';
import { compareDue, type ComparingDeps } from './comparing.js';

/** Counts the due days again, the longest overdue first. Returns how many had been wrong. */
export function recountAttemptDays(deps: AttemptDeps & ComparingDeps, pace: Pace): Promise<number> {
  return compareDue(deps.collections.attemptDays, deps, async (day: AttemptDayDoc) => {
    const time_zone = await timeZoneOf(day, deps.collections);
    const wasWrong = await keepAttemptDay(deps, { ...day, time_zone }, pace);
    return wasWrong ? 1 : 0;
  });
}
