/** Routing: which buyers a lead may go to, in which order, and why the others are left out. */
import { whyLeftOut } from './eligibility.js';
import type { EligibleLead, Skip } from './eligibility.js';
import type { BuyerTerms, Plan } from './plan.js';

/** What routing knows of a lead. */
export interface RoutableLead extends EligibleLead {
  /** Draws of a distribution method come from it, so that a decision can be made again. */
  seed: string;
}

export interface SkippedBuyer extends Skip {
  buyer_id: string;
}

export interface Ranking {
  /** Best first. */
  candidates: BuyerTerms[];
  /** In the order of the plan. */
  skipped: SkippedBuyer[];
}

export type DistributionMethod = Plan['distribution_method'];
type Ranker = (eligible: readonly BuyerTerms[], lead: RoutableLead) => BuyerTerms[];

/** A new distribution method is one entry here. */
const RANKERS: Record<DistributionMethod, Ranker> = {
  WATERFALL: (eligible) => [...eligible].sort(byPriority),
};

/** Every buyer of the plan, as a candidate or with the first reason that leaves it out at that time. */
export function rankBuyers(plan: Plan, lead: RoutableLead, now: Date): Ranking {
  const context = { now, timeZone: plan.time_zone };
  const eligible: BuyerTerms[] = [];
  const skipped: SkippedBuyer[] = [];
  for (const buyer of plan.buyers) {
    const why = whyLeftOut(buyer, lead, context);
    if (why) skipped.push({ buyer_id: buyer.buyer_id, ...why });
    else eligible.push(buyer);
  }
  return { candidates: RANKERS[plan.distribution_method](eligible, lead), skipped };
}

/** Lower goes first, none goes last; equal ones go by id. */
function byPriority(a: BuyerTerms, b: BuyerTerms): number {
  const [first, second] = [a.priority ?? Infinity, b.priority ?? Infinity];
  if (first !== second) return first < second ? -1 : 1;
  if (a.buyer_id === b.buyer_id) return 0;
  return a.buyer_id < b.buyer_id ? -1 : 1;
}
