/** Compares stored days of attempts with the attempts, as roll-ups are compared with their leads. */
import type { Pace } from '../../lib/pace.js';
import { keepDay } from '../advanceSpan.js';
import type { AttemptDeps } from '../attemptDays.js';
import type { AttemptDayDoc } from '../store/attemptDayDocs.js';
import { compareDue, type ComparingDeps } from './comparing.js';

/** Counts the due days again, the longest overdue first. Returns how many had been wrong. */
export const recountAttemptDays = (
  deps: AttemptDeps & ComparingDeps,
  pace: Pace,
): Promise<number> =>
  compareDue(deps.collections.attemptDays, deps, async (day: AttemptDayDoc) =>
    Number(await keepDay(deps, day, pace)),
  );
