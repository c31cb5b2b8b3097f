/** Routing: which buyers a lead may go to, in which order, and why the others are left out. */
import { drawOrder } from './draw.js';
import { findSkipReason, type EligibleLead, type Skip } from './eligibility.js';
import { rankingOf } from '../../account/rules/plan.js';
import type { BuyerTerms, Plan, RankingMethod } from '../../account/rules/plan.js';

/** The fields of a lead that routing uses. */
export interface RoutableLead extends EligibleLead {
  /** Seeds the draws of a distribution method, so that a decision can be repeated. */
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

type Ranker = (eligible: readonly BuyerTerms[], lead: RoutableLead) => BuyerTerms[];

/** A new distribution method is one entry here. */
const RANKERS: Record<RankingMethod, Ranker> = {
  WATERFALL: (eligible) => eligible.toSorted(byPriority),
  // The turn changes with every lead: see `turns.ts`.
  ROUND_ROBIN: (eligible) => eligible.toSorted(byId),
  WEIGHTED: drawn,
  HIGHEST_BID: (eligible) => eligible.toSorted((a, b) => b.price - a.price || byPriority(a, b)),
  LOCKED_BIDS: (eligible) => eligible.toSorted((a, b) => rankOf(a) - rankOf(b)),
  STATIC_BIDS: (eligible) => eligible.toSorted((a, b) => rankOf(a) - rankOf(b) || byPriority(a, b)),
};

/** Every buyer of the plan, as a candidate or with the first reason that leaves it out at that time. */
export function rankBuyers(plan: Plan, lead: RoutableLead, now: Date): Ranking {
  const method = rankingOf(plan);
  const context = { now, timeZone: plan.time_zone, method, locks: plan.locks, had_it: plan.had_it };
  const eligible: BuyerTerms[] = [];
  const skipped: SkippedBuyer[] = [];
  for (const buyer of plan.buyers) {
    const why = findSkipReason(buyer, lead, context);
    if (why) skipped.push({ buyer_id: buyer.buyer_id, ...why });
    else eligible.push(buyer);
  }
  return { candidates: RANKERS[method](eligible, lead), skipped };
}

const rankOf = ({ locked }: BuyerTerms): number => locked?.rank ?? Infinity;

/** Lower goes first, none goes last; equal ones are ordered by id until their turns are known. */
function byPriority(a: BuyerTerms, b: BuyerTerms): number {
  const [first, second] = [a.priority ?? Infinity, b.priority ?? Infinity];
  if (first !== second) return first < second ? -1 : 1;
  return byId(a, b);
}

function byId(a: BuyerTerms, b: BuyerTerms): number {
  if (a.buyer_id === b.buyer_id) return 0;
  return a.buyer_id < b.buyer_id ? -1 : 1;
}

/** Each place is drawn by the shares of those left, from the lead's seed. */
function drawn(eligible: readonly BuyerTerms[], { seed }: RoutableLead): BuyerTerms[] {
  const byBuyer = new Map(eligible.map((terms) => [terms.buyer_id, terms]));
  const lots = eligible.map(({ buyer_id, weight }) => ({ id: buyer_id, weight }));
  return drawOrder(lots, seed).flatMap((id) => byBuyer.get(id) ?? []);
}
