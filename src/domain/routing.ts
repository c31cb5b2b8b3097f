/** Routing: which buyers a lead may go to, in which order, and why the others are left out. */
import { evaluateFilters, seenBy } from './filters.js';
import { fieldOf } from './fields.js';
import type { Fields } from './lead.js';
import { drawOrder } from './draw.js';
import type { BuyerTerms, DistributionMethod, Plan } from './plan.js';

/** What routing knows of a lead. */
export interface RoutableLead {
  fields: Fields;
  is_test: boolean;
  /** Draws of a distribution method come from it, so that a decision can be made again. */
  seed: string;
  /** A repeat goes to this buyer or to nobody. */
  route_to?: string;
}

/**
 * Why a buyer is left out. test_mode_only: a live lead, and the buyer takes test leads only. live_only: a
 * test lead, and the buyer is not in test mode. not_original: a repeat goes to the buyer of the lead it repeats.
 */
export type SkipReason =
  | 'not_original'
  | 'paused'
  | 'no_weight'
  | 'test_mode_only'
  | 'live_only'
  | 'state_missing'
  | 'state_not_served'
  | 'filtered';

export interface SkippedBuyer {
  buyer_id: string;
  reason: SkipReason;
  detail?: Record<string, unknown>;
}

export interface Ranking {
  /** Best first. */
  candidates: BuyerTerms[];
  /** In the order of the plan. */
  skipped: SkippedBuyer[];
}

type Ranker = (eligible: readonly BuyerTerms[], lead: RoutableLead) => BuyerTerms[];

/** A new distribution method is one entry here. */
const RANKERS: Record<DistributionMethod, Ranker> = {
  WATERFALL: (eligible) => eligible.toSorted(byPriority),
  // Whose turn it is changes with every lead: see `turns.ts`.
  ROUND_ROBIN: (eligible) => eligible.toSorted(byId),
  WEIGHTED: drawn,
  HIGHEST_BID: (eligible) => eligible.toSorted((a, b) => b.price - a.price || byPriority(a, b)),
};

/** Every buyer of the plan, as a candidate or with the first reason that leaves it out. */
export function rankBuyers(plan: Plan, lead: RoutableLead): Ranking {
  const eligible: BuyerTerms[] = [];
  const skipped: SkippedBuyer[] = [];
  for (const buyer of plan.buyers) {
    const why = reasonToSkip(buyer, lead) ?? weightReason(plan, buyer);
    if (why) skipped.push({ buyer_id: buyer.buyer_id, ...why });
    else eligible.push(buyer);
  }
  return { candidates: RANKERS[plan.distribution_method](eligible, lead), skipped };
}

function reasonToSkip(
  buyer: BuyerTerms,
  lead: RoutableLead,
): Omit<SkippedBuyer, 'buyer_id'> | undefined {
  if (lead.route_to !== undefined && lead.route_to !== buyer.buyer_id) {
    return { reason: 'not_original' };
  }
  if (buyer.status === 'paused') return { reason: 'paused' };
  if (buyer.test_mode && !lead.is_test) return { reason: 'test_mode_only' };
  if (!buyer.test_mode && lead.is_test) return { reason: 'live_only' };
  return stateReason(buyer, lead.fields) ?? filterReason(buyer, lead.fields);
}

function stateReason(
  buyer: BuyerTerms,
  fields: Fields,
): Omit<SkippedBuyer, 'buyer_id'> | undefined {
  if (buyer.states.length === 0) return undefined;
  const state = fieldOf(fields, 'state');
  if (state === undefined) return { reason: 'state_missing' };
  const code = String(state).toUpperCase();
  if (buyer.states.some((served) => served.toUpperCase() === code)) return undefined;
  return { reason: 'state_not_served', detail: { state } };
}

function filterReason(
  buyer: BuyerTerms,
  fields: Fields,
): Omit<SkippedBuyer, 'buyer_id'> | undefined {
  const failures = evaluateFilters(buyer.filters, fields);
  return failures.length > 0
    ? { reason: 'filtered', detail: { failures: seenBy(failures) } }
    : undefined;
}

/** Lower goes first, none goes last; equal ones go by id until their turns are known. */
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

const weightReason = (plan: Plan, buyer: BuyerTerms): Omit<SkippedBuyer, 'buyer_id'> | undefined =>
  plan.distribution_method === 'WEIGHTED' && buyer.weight === 0
    ? { reason: 'no_weight' }
    : undefined;
