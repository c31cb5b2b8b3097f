/** Which buyer a lead's next attempt goes to: the best that is not resting, in the order of their turns. */
import {
  inTurn,
  nextBuyer,
  restedEntry,
  restOf,
  turnEntry,
  type Order,
  type RestOf,
} from '../routing/rules/asking.js';
import type { BuyerTerms } from '../account/rules/plan.js';
import { sharesTurns, type Turns } from '../routing/rules/turns.js';
import type { DestinationDoc } from '../deliveries/store/destinationDoc.js';
import type { SellingDeps } from './deps.js';
import type { Task } from './task.js';

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
  deps: Pick<SellingDeps, 'turns'>,
): Promise<Choice[]> {
  const restFor =
    ({ plan }: Task): RestOf =>
    (terms) =>
      restOf(terms, destinations.get(terms.buyer_id)?.open_until, now, plan.time_zone);
  await takeTurns(tasks, restFor, now, deps);
  return tasks.map((task) => ({ task, terms: takeNext(task, restFor(task), now) }));
}

export async function destinationsOf(
  tasks: readonly Task[],
  deps: Pick<SellingDeps, 'destinations'>,
): Promise<Map<string, DestinationDoc>> {
  const ids = new Set(tasks.flatMap((task) => task.candidates.map((terms) => terms.buyer_id)));
  return ids.size === 0 ? new Map() : deps.destinations.get([...ids]);
}

/**
 * Orders the candidates of leads whose campaigns count turns, and takes the turns of the buyers that will be
 * asked first. A buyer that turns out to be full has had its turn: the others share the rest evenly. Other
 * leads cost nothing here.
 */
async function takeTurns(
  tasks: readonly Task[],
  restFor: (task: Task) => RestOf,
  now: Date,
  { turns }: Pick<SellingDeps, 'turns'>,
): Promise<void> {
  // The leads of a group mostly have one plan: it is asked once.
  const shared = new Set([...new Set(tasks.map(({ plan }) => plan))].filter(sharesTurns));
  const sharing = tasks.filter(({ plan, candidates }) => candidates.length > 0 && shared.has(plan));
  const byCampaign = Map.groupBy(sharing, ({ plan }) => plan.campaign_id);
  await Promise.all(
    [...byCampaign].map(async ([campaignId, group]) => {
      const orders = await turns.take(campaignId, (start) => orderAll(group, restFor, start));
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
  restFor: (task: Task) => RestOf,
  start: Turns,
): { turns: Turns; result: Order[] } {
  let turns = start;
  const result = tasks.map((task): Order => {
    const { plan, candidates, lead } = task;
    const order = inTurn({ plan, candidates, isTest: lead.is_test }, turns, restFor(task));
    ({ turns } = order);
    return order;
  });
  return { turns, result };
}

/** The next buyer that is not resting; those that are count as missed. */
function takeNext(task: Task, restOfBuyer: RestOf, now: Date): BuyerTerms | undefined {
  const { asked, left, rested } = nextBuyer(task.candidates, restOfBuyer);
  task.candidates = left;
  for (const { terms, rest } of rested) {
    task.trail.push(restedEntry({ terms, rest }, now));
    const retryAfterMs = Number(rest.until) - Number(now);
    task.missed.push({ terms, rowId: null, reason: rest.reason, retryAfterMs });
  }
  return asked;
}
