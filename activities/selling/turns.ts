/** Among equally good buyers the one that has waited longest is asked next. */
import { groupBy } from '../../src/domain/groupBy.js';
import { afterTurn, byTurns, equals, sharesTurns, type Turns } from '../../src/domain/turns.js';
import type { BuyerTerms } from '../../src/domain/plan.js';
import type { SellingDeps } from './deps.js';
import type { Task } from './task.js';

/** Why a buyer is not asked now. */
export interface Rest {
  until: Date;
  reason: 'breaker_open' | 'closed';
  /** Its leads wait for it, and go to nobody else. */
  waits: boolean;
}

type RestOf = (task: Task, terms: BuyerTerms) => Rest | null;

/** How one lead's candidates are to be asked. */
interface Order {
  candidates: BuyerTerms[];
  /** Who is asked, when it had to be chosen among equals, and when each of them had its latest turn. */
  chosen?: { buyerId: string; last: Record<string, number> };
}

/**
 * Orders the candidates of leads whose campaigns count turns, and takes the turns of the buyers that will be
 * asked first. A buyer that turns out to be full has had its turn: the others share the rest evenly. Other
 * leads cost nothing here; test leads look, and take no turn.
 */
export async function takeTurns(
  tasks: readonly Task[],
  restOf: RestOf,
  { turns, clock }: Pick<SellingDeps, 'turns' | 'clock'>,
): Promise<void> {
  // The leads of a group mostly have one plan: it is asked once.
  const shared = new Set([...new Set(tasks.map(({ plan }) => plan))].filter(sharesTurns));
  const sharing = tasks.filter(({ plan, candidates }) => candidates.length > 0 && shared.has(plan));
  const byCampaign = groupBy(sharing, ({ plan }) => plan.campaign_id);
  await Promise.all(
    [...byCampaign].map(async ([campaignId, group]) => {
      const orders = await turns.take(campaignId, (now) => orderAll(group, restOf, now));
      group.forEach((task, n) => {
        const order = orders[n];
        if (order) apply(order, task, clock.now());
      });
    }),
  );
}

function orderAll(
  tasks: readonly Task[],
  restOf: RestOf,
  start: Turns,
): { turns: Turns; result: Order[] } {
  let turns = start;
  const result = tasks.map((task): Order => {
    const { distribution_method: method } = task.plan;
    const candidates = byTurns(method, task.candidates, turns);
    const asked = firstAsked(candidates, (terms) => restOf(task, terms));
    if (!asked) return { candidates };
    const { last } = turns;
    if (!task.lead.is_test) turns = afterTurn(turns, asked.buyer_id);
    const among = equals(method, candidates.slice(candidates.indexOf(asked)));
    if (among.length < 2) return { candidates };
    const seen = among.map(({ buyer_id }): [string, number] => [buyer_id, last[buyer_id] ?? 0]);
    return { candidates, chosen: { buyerId: asked.buyer_id, last: Object.fromEntries(seen) } };
  });
  return { turns, result };
}

/** The first that does not rest, unless one before it wants its leads to wait. */
function firstAsked(
  candidates: readonly BuyerTerms[],
  restOf: (terms: BuyerTerms) => Rest | null,
): BuyerTerms | undefined {
  const first = candidates.find((terms) => restOf(terms)?.waits ?? true);
  return first && !restOf(first) ? first : undefined;
}

function apply({ candidates, chosen }: Order, task: Task, at: Date): void {
  task.candidates = candidates;
  if (!chosen) return;
  const { buyerId: buyer_id, last } = chosen;
  task.trail.push({ at, step: 'routing', result: 'turn', buyer_id, detail: { last } });
}
