/** Routing: which buyers a lead may go to, in which order, and why the others are left out. */
import { evaluateFilters, seenBy } from './filters.js';
import { fieldOf } from './fields.js';
import type { Fields } from './lead.js';
import type { BuyerTerms, Plan } from './plan.js';

/** What routing knows of a lead. */
export interface RoutableLead {
  fields: Fields;
  is_test: boolean;
  /** Draws of a distribution method come from it, so that a decision can be made again. */
  seed: string;
}

/**
 * Why a buyer is left out. test_mode_only: a live lead, and the buyer takes test leads only. live_only: a
 * test lead, and the buyer is not in test mode. suppressed: the person is on a list of the buyer.
 */
export type SkipReason =
  | 'paused'
  | 'test_mode_only'
  | 'live_only'
  | 'state_missing'
  | 'state_not_served'
  | 'filtered'
  | 'suppressed';

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

export type DistributionMethod = Plan['distribution_method'];
type Ranker = (eligible: readonly BuyerTerms[], lead: RoutableLead) => BuyerTerms[];

/** A new distribution method is one entry here. */
const RANKERS: Record<DistributionMethod, Ranker> = {
  WATERFALL: (eligible) => [...eligible].sort(byPriority),
};

/** Every buyer of the plan, as a candidate or with the first reason that leaves it out. */
export function rankBuyers(plan: Plan, lead: RoutableLead): Ranking {
  const eligible: BuyerTerms[] = [];
  const skipped: SkippedBuyer[] = [];
  for (const buyer of plan.buyers) {
    const why = reasonToSkip(buyer, lead);
    if (why) skipped.push({ buyer_id: buyer.buyer_id, ...why });
    else eligible.push(buyer);
  }
  return { candidates: RANKERS[plan.distribution_method](eligible, lead), skipped };
}

function reasonToSkip(
  buyer: BuyerTerms,
  lead: RoutableLead,
): Omit<SkippedBuyer, 'buyer_id'> | undefined {
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

/** Lower goes first, none goes last; equal ones go by id. */
function byPriority(a: BuyerTerms, b: BuyerTerms): number {
  const [first, second] = [a.priority ?? Infinity, b.priority ?? Infinity];
  if (first !== second) return first < second ? -1 : 1;
  if (a.buyer_id === b.buyer_id) return 0;
  return a.buyer_id < b.buyer_id ? -1 : 1;
}
