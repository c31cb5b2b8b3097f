/** Changes of sold leads that no workflow applies, and conversion windows that no workflow has closed. */
import type { Clock } from '../../lib/clock.js';
import type { OutcomeStarter } from '../outcomeStarter.js';
import type { ApplyChangesDeps } from '../applyChanges.js';
import { expireWindows } from '../expire.js';

export interface OutcomeRepairDeps extends ApplyChangesDeps {
  outcomeStarter: Pick<OutcomeStarter, 'restart'>;
  clock: Clock;
}

/** A change is applied at once: one older than this, in milliseconds, was forgotten. */
const FORGOTTEN_MS = 30_000;
const CHANGES_PER_RUN = 5_000;
/** A window closes by the end of its hour, which takes a while: one overdue by this, in milliseconds, is forgotten. */
const OVERDUE_MS = 3_690_000;
/** Milliseconds after which no further batch is begun; the next run of `reconcile` continues. */
const RUN_MS = 3_000;

/** Starts them again. Returns their number. */
export async function restartChanges(deps: OutcomeRepairDeps): Promise<number> {
  const before = new Date(Number(deps.clock.now()) - FORGOTTEN_MS);
  const left = await deps.outcomes.left(before, CHANGES_PER_RUN);
  await deps.outcomeStarter.restart(left);
  return left.length;
}

/** Closes windows that are still open. Returns the number of leads. */
export async function closeOverdue(deps: OutcomeRepairDeps): Promise<number> {
  const until = new Date(Number(deps.clock.now()) - OVERDUE_MS);
  const endsAt = deps.clock.monotonic() + RUN_MS;
  const { leads } = await expireWindows(until, deps, () => deps.clock.monotonic() < endsAt);
  return leads.length;
}
