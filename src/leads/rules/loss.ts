/** Why a lead was not sold, as one reason of a short list: what reports count. The trail has all of it. */
import { getOwn } from '../../lib/getOwn.js';
import type { FilterFailure } from '../../lib/filterFailure.js';
import type { LeadStatus } from './leadStatus.js';
import type { ClosingReason, TrailEntry } from './trail.js';

/** Those of a lead that a check refused, in the order of the checks. */
export const CHECK_REASONS = ['suspected_bot', 'filtered', 'suppressed', 'supplier_cap'] as const;

/**
 * Those of a lead that no buyer got, the one that came nearest to a sale first: of a lead that one buyer rejected and
 * others could not have, the rejection is the reason.
 */
export const ROUTING_REASONS = [
  ...(['buyer_rejected', 'buyer_unanswered', 'buyer_not_reached'] as const),
  ...(['max_age', 'dropped', 'buyer_cap', 'campaign_cap', 'buyer_closed'] as const),
  ...(['no_bid', 'buyer_suppressed', 'buyer_filters', 'buyer_area', 'buyer_paused'] as const),
  ...(['original_undecided', 'no_buyer'] as const),
] as const;

export type RoutingReason = (typeof ROUTING_REASONS)[number];
export type LossReason = (typeof CHECK_REASONS)[number] | RoutingReason;

export interface Loss {
  reason: LossReason;
  /** The field that a check refused, or the buyer that came nearest; absent where no single one decided it. */
  of?: string;
}

/** What of a step says why a lead was not sold. */
export type LossStep = Pick<TrailEntry, 'step' | 'result' | 'reason' | 'buyer_id'>;

/** The parts of a lead that say why it was not sold. */
export interface LostLead {
  status: LeadStatus;
  refusal?: 'supplier_capped';
  filter_errors?: readonly Pick<FilterFailure, 'filter_id' | 'field'>[];
  trail?: readonly LossStep[];
}

/** Undefined where the lead is sold, waits, or is a duplicate, which its status says. */
export function lossOf({ status, refusal, filter_errors, trail = [] }: LostLead): Loss | undefined {
  if (status === 'REJECTED')
    return refusal ? { reason: 'supplier_cap' } : refused(filter_errors, trail);
  if (status === 'UNMATCHED' || status === 'EXPIRED') return nearestLoss(trail);
  return undefined;
}

/** How rules of suppression lists are named among the failed filters. */
const OF_LISTS = 'suppression';

function refused(failures: LostLead['filter_errors'] = [], trail: readonly LossStep[]): Loss {
  const [first] = failures;
  if (first)
    return { reason: first.filter_id === OF_LISTS ? 'suppressed' : 'filtered', of: first.field };
  const isSuspected = trail.some(({ step }) => step === 'origin');
  return { reason: isSuspected ? 'suspected_bot' : 'filtered' };
}

/** Why no buyer got it; of several buyers with the same reason, the one that was best ranked. */
export function nearestLoss(trail: readonly LossStep[]): Loss & { reason: RoutingReason } {
  let best: Loss & { reason: RoutingReason } = { reason: 'no_buyer' };
  for (const step of trail) {
    const reason = reasonOf(step);
    if (reason && rankOf(reason) < rankOf(best.reason))
      best = { reason, of: NAMES_BUYER.has(reason) ? step.buyer_id : undefined };
  }
  return best;
}

const rankOf = (reason: RoutingReason): number =>
  ROUTING_REASONS.findIndex((one) => one === reason);

/** Where each buyer has targeting of its own, none of them alone decided it. */
const NAMES_BUYER: ReadonlySet<RoutingReason> = new Set<RoutingReason>([
  ...(['buyer_rejected', 'buyer_unanswered', 'buyer_not_reached', 'max_age'] as const),
  ...(['buyer_cap', 'buyer_closed', 'buyer_paused'] as const),
]);

const OF_ANSWERS: Readonly<Record<string, RoutingReason>> = {
  rejected: 'buyer_rejected',
  unknown: 'buyer_unanswered',
  not_taken: 'buyer_not_reached',
};

const OF_SKIPS: Readonly<Record<string, RoutingReason>> = {
  closed: 'buyer_closed',
  suppressed: 'buyer_suppressed',
  filtered: 'buyer_filters',
  state_missing: 'buyer_area',
  state_not_served: 'buyer_area',
  zip_missing: 'buyer_area',
  zip_not_served: 'buyer_area',
  paused: 'buyer_paused',
  test_mode_only: 'buyer_paused',
  no_bid: 'no_bid',
  not_picked: 'no_bid',
  bids_live: 'no_bid',
  below_margin: 'no_bid',
  below_min_bid: 'no_bid',
};

const OF_CAPS: Readonly<Record<string, RoutingReason>> = {
  buyer_cap: 'buyer_cap',
  campaign_cap: 'campaign_cap',
};

const OF_CLOSINGS: Readonly<Partial<Record<ClosingReason, RoutingReason>>> = {
  max_age: 'max_age',
  dropped: 'dropped',
};

function reasonOf({ step, result, reason = '' }: LossStep): RoutingReason | undefined {
  if (step === 'delivery') return getOwn(OF_ANSWERS, result);
  if (step === 'caps' && result === 'full') return getOwn(OF_CAPS, reason);
  if (step === 'routing' && result === 'skipped') return getOwn(OF_SKIPS, reason);
  if (step === 'duplicates' && reason === 'original_undecided') return 'original_undecided';
  return step === 'closing' ? getOwn(OF_CLOSINGS, reason) : undefined;
}
