/** Chooses the buyer of a lead's next attempt: the best one that is not in a cooldown, in the order of their turns. */
import {
  orderByTurns,
  findNextBuyer,
  unavailableEntry,
  findUnavailability,
  turnEntry,
  type TurnOrder,
  type FindUnavailability,
} from '../routing/rules/nextBuyer.js';
import type { BuyerTerms } from '../account/rules/plan.js';
import { sharesTurns, type Turns } from '../routing/rules/turns.js';
import type { DestinationDoc } from '../deliveries/store/destinationDoc.js';
import type { SellingDeps } from './deps.js';
import type { Task } from './task.js';

export interface Choice {
  task: Task;
  /** Undefined when no buyer can be asked now. */
  terms: BuyerTerms | undefined;
}

/** Takes the next candidate of each task; skipped buyers are recorded on its trail, and as missed. */
export async function chooseBuyers(
  tasks: readonly Task[],
  destinations: Map<string, DestinationDoc>,
  now: Date,
  deps: Pick<SellingDeps, 'turns'>,
): Promise<Choice[]> {
  const unavailabilityFor =
    ({ plan }: Task): FindUnavailability =>
    (terms) =>
      findUnavailability(terms, destinations.get(terms.buyer_id)?.open_until, now, plan.time_zone);
  await takeTurns(tasks, unavailabilityFor, now, deps);
  return tasks.map((task) => ({ task, terms: takeNext(task, unavailabilityFor(task), now) }));
}

/** The candidates' destinations: which of them are in a cooldown, and until when. */
export async function destinationsOf(
  tasks: readonly Pick<Task, 'candidates'>[],
  deps: Pick<SellingDeps, 'destinations'>,
): Promise<Map<string, DestinationDoc>> {
  const ids = new Set(tasks.flatMap((task) => task.candidates.map((terms) => terms.buyer_id)));
  return ids.size === 0 ? new Map() : deps.destinations.get([...ids]);
}

/**
 * Orders the candidates of leads whose campaigns count turns, and takes the turns of the buyers that will be asked
 * first. A buyer that turns out to be full has had its turn: the others share the rest evenly. Costs nothing for other
 * leads.
 */
async function takeTurns(
  tasks: readonly Task[],
  unavailabilityFor: (task: Task) => FindUnavailability,
  now: Date,
  { turns }: Pick<SellingDeps, 'turns'>,
): Promise<void> {
  // The leads of a group mostly have one plan: it is checked once.
  const shared = new Set([...new Set(tasks.map(({ plan }) => plan))].filter(sharesTurns));
  const sharing = tasks.filter(({ plan, candidates }) => candidates.length > 0 && shared.has(plan));
  const byCampaign = Map.groupBy(sharing, ({ plan }) => plan.campaign_id);
  await Promise.all(
    [...byCampaign].map(async ([campaignId, group]) => {
      const orders = await turns.take(campaignId, (start) =>
        orderAll(group, unavailabilityFor, start),
      );
      orders.forEach(({ candidates, turn }, n) => {
        const task = group[n];
        if (!task) return;
        task.candidates = candidates;
        if (turn) task.trail.push(turnEntry(turn, now));
      });
    }),
  );
}

function orderAll(
  tasks: readonly Task[],
  unavailabilityFor: (task: Task) => FindUnavailability,
  start: Turns,
): { turns: Turns; result: TurnOrder[] } {
  let turns = start;
  const result = tasks.map((task): TurnOrder => {
    const { plan, candidates, lead } = task;
    const order = orderByTurns(
      { plan, candidates, isTest: lead.is_test },
      turns,
      unavailabilityFor(task),
    );
    ({ turns } = order);
    return order;
  });
  return { turns, result };
}

/** The next buyer that is not in a cooldown; those that are count as missed. */
function takeNext(
  task: Task,
  unavailabilityOf: FindUnavailability,
  now: Date,
): BuyerTerms | undefined {
  const { next, left, unavailable } = findNextBuyer(task.candidates, unavailabilityOf);
  task.candidates = left;
  for (const { terms, unavailability } of unavailable) {
    task.trail.push(unavailableEntry({ terms, unavailability }, now));
    const retryAfterMs = Number(unavailability.until) - Number(now);
    task.missed.push({ terms, rowId: null, reason: unavailability.reason, retryAfterMs });
  }
  return next;
}
