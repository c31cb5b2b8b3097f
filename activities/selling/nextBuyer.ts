/** Which buyer a lead's next attempt goes to: the best that is not resting, in the order of their turns. */
import { opensAt } from '../../src/domain/openingHours.js';
import type { BuyerTerms } from '../../src/domain/plan.js';
import type { DestinationDoc } from '../../src/store/collections.js';
import type { SellingDeps } from './deps.js';
import type { Task } from './task.js';
import { takeTurns, type Rest } from './turns.js';

export interface Choice {
  task: Task;
  /** Undefined when no buyer is left that could be asked now. */
  terms: BuyerTerms | undefined;
}

/** Takes the next candidate of each task; those passed over are noted on its trail, and as missed. */
export async function chooseBuyers(
  tasks: readonly Task[],
  destinations: Map<string, DestinationDoc>,
  now: Date,
  deps: Pick<SellingDeps, 'turns' | 'clock'>,
): Promise<Choice[]> {
  await takeTurns(tasks, (task, terms) => restOf(task, terms, destinations, now), deps);
  return tasks.map((task) => ({ task, terms: nextBuyer(task, destinations, now) }));
}

export async function destinationsOf(
  tasks: readonly Task[],
  deps: Pick<SellingDeps, 'destinations'>,
): Promise<Map<string, DestinationDoc>> {
  const ids = new Set(tasks.flatMap((task) => task.candidates.map((terms) => terms.buyer_id)));
  return ids.size === 0 ? new Map() : deps.destinations.get([...ids]);
}

/** Why a buyer is not asked now, and until when; null when it may be. */
function restOf(
  { plan }: Task,
  terms: BuyerTerms,
  destinations: Map<string, DestinationDoc>,
  now: Date,
): Rest | null {
  const opens = opensAt(terms, now, plan.time_zone);
  if (opens) return { until: opens, reason: 'closed', waits: true };
  const until = destinations.get(terms.buyer_id)?.open_until;
  if (!until || until <= now) return null;
  return { until, reason: 'breaker_open', waits: terms.when_unavailable === 'WAIT' };
}

/** The next buyer that is not resting; those that are count as missed. */
function nextBuyer(
  task: Task,
  destinations: Map<string, DestinationDoc>,
  now: Date,
): BuyerTerms | undefined {
  for (let terms = task.candidates.shift(); terms; terms = task.candidates.shift()) {
    const rest = restOf(task, terms, destinations, now);
    if (rest === null) return terms;
    const { reason } = rest;
    task.trail.push({
      at: now,
      step: 'routing',
      result: 'skipped',
      buyer_id: terms.buyer_id,
      reason,
    });
    task.missed.push({
      terms,
      rowId: null,
      reason,
      retryAfterMs: Number(rest.until) - Number(now),
    });
    if (rest.waits) return undefined;
  }
  return undefined;
}
