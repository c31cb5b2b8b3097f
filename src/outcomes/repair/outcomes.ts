/** Changes of sold leads that nobody is at work on, and conversion windows that nobody has closed. */
import type { Clock } from '../../lib/clock.js';
import type { OutcomeStarter } from '../outcomeStarter.js';
import type { ApplyChangesDeps } from '../applyChanges.js';
import { expireUntil } from '../expire.js';

export interface OutcomeRepairDeps extends ApplyChangesDeps {
  outcomeStarter: Pick<OutcomeStarter, 'restart'>;
  clock: Clock;
}

/** A change is made at once: after so long it was forgotten, in milliseconds. */
const FORGOTTEN_MS = 30_000;
const CHANGES_PER_RUN = 5_000;
/** A window closes by the end of its hour, which may take a while: after so long it was forgotten, in milliseconds. */
const OVERDUE_MS = 3_690_000;
/** No further batch is begun after so long, in milliseconds; the next run of `reconcile` goes on. */
const RUN_MS = 3_000;

/** Starts them again. Returns how many there were. */
export async function restartChanges(deps: OutcomeRepairDeps): Promise<number> {
  const before = new Date(Number(deps.clock.now()) - FORGOTTEN_MS);
  const left = await deps.outcomes.left(before, CHANGES_PER_RUN);
  await deps.outcomeStarter.restart(left);
  return left.length;
}

/** Closes windows that are still open. Returns how many leads there were. */
export async function closeOverdue(deps: OutcomeRepairDeps): Promise<number> {
  const until = new Date(Number(deps.clock.now()) - OVERDUE_MS);
  const endsAt = deps.clock.monotonic() + RUN_MS;
  const { leads } = await expireUntil(until, deps, () => deps.clock.monotonic() < endsAt);
  return leads.length;
}
