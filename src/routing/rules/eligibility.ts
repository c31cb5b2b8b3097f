/** Eligibility: why a buyer is left out of a lead's distribution. */
import { evaluateFilters, seenBy, type FilterContext } from '../../fields/filters.js';
import { fieldOf } from '../../fields/fields.js';
import type { Fields } from '../../fields/values.js';
import type { BuyerTerms, NoStaticBid, Plan, RankingMethod } from '../../account/rules/plan.js';
import { isOpenAt, nextOpening, wallClock } from '../../fields/schedule.js';
import { isWithin, milesToNearest, type ZipArea } from '../../fields/zips.js';

/**
 * Why a buyer is left out. test_mode_only: a live lead, and the buyer accepts test leads only. live_only: a
 * test lead, and the buyer is not in test mode. closed: outside its schedule, and leads are not held for it.
 * not_original: a repeat goes to the buyer of its original. no_weight: its share of a WEIGHTED campaign is 0.
 * suppressed: the person is on a list of the buyer. no_bid: it made none for the ping of the lead. not_picked: the
 * supplier picked another bidder. had_it: the lead is sold again, and this buyer had or refused its data before.
 * bids_live, below_margin, below_min_bid: no supplier pinged for the lead, and the buyer's price is no bid.
 */
export type SkipReason =
  | 'had_it'
  | 'not_original'
  | 'no_bid'
  | 'not_picked'
  | NoStaticBid['reason']
  | 'paused'
  | 'test_mode_only'
  | 'live_only'
  | 'state_missing'
  | 'state_not_served'
  | 'zip_missing'
  | 'zip_not_served'
  | 'filtered'
  | 'closed'
  | 'no_weight'
  | 'suppressed';

/** The reason, and the values that were compared. */
export interface Skip {
  reason: SkipReason;
  detail: Record<string, unknown>;
}

/** The fields of a lead that eligibility uses. */
export interface EligibleLead {
  fields: Fields;
  is_test: boolean;
  /** A repeat goes to this buyer or to none. */
  route_to?: string;
}

export interface EligibilityContext extends FilterContext {
  method: RankingMethod;
  locks?: Plan['locks'];
  had_it?: Plan['had_it'];
}

type Check = (
  buyer: BuyerTerms,
  lead: EligibleLead,
  context: EligibilityContext,
) => Skip | false | undefined;

type CheckAgain = (buyer: BuyerTerms, lead: EligibleLead) => Skip | false | undefined;

/**
 * What may change while a lead waits, and is checked again whenever it is about to be sent. Price, area and filters are
 * those that decided the lead.
 */
const CHECKED_AGAIN: readonly CheckAgain[] = [
  ({ status }) => status === 'paused' && { reason: 'paused', detail: { status } },
  ({ test_mode }, { is_test }) =>
    test_mode && !is_test && { reason: 'test_mode_only', detail: { test_mode, is_test } },
  ({ test_mode }, { is_test }) =>
    !test_mode && is_test && { reason: 'live_only', detail: { test_mode, is_test } },
];

/** In the order in which they are checked: the first that applies is the reason. */
const CHECKS: readonly Check[] = [
  ({ buyer_id }, _lead, { had_it = [] }) =>
    had_it.includes(buyer_id) && { reason: 'had_it', detail: {} },
  ({ buyer_id }, { route_to }) =>
    route_to !== undefined &&
    route_to !== buyer_id && { reason: 'not_original', detail: { route_to } },
  bidReason,
  ...CHECKED_AGAIN,
  stateReason,
  zipReason,
  filterReason,
  outsideHoursReason,
  ({ weight }, _lead, { method }) =>
    method === 'WEIGHTED' && weight === 0 && { reason: 'no_weight', detail: { weight } },
];

/** The first reason that leaves the buyer out; undefined when the lead may go to it. */
export function findSkipReason(
  buyer: BuyerTerms,
  lead: EligibleLead,
  context: EligibilityContext,
): Skip | undefined {
  for (const check of CHECKS) {
    const skip = check(buyer, lead, context);
    if (skip) return skip;
  }
  return undefined;
}

/**
 * The same for the buyer that a lead has waited for: only what may have changed meanwhile. The lead waits for its hours
 * and for room in its caps, which are checked separately.
 * @param buyer its terms as they are now
 */
export function findSkipReasonAgain(buyer: BuyerTerms, lead: EligibleLead): Skip | undefined {
  for (const check of CHECKED_AGAIN) {
    const skip = check(buyer, lead);
    if (skip) return skip;
  }
  return undefined;
}

function bidReason(
  { buyer_id, locked, unbid }: BuyerTerms,
  _lead: EligibleLead,
  { locks }: EligibilityContext,
): Skip | undefined {
  if (unbid) return unbid;
  if (!locks) return undefined;
  const { ping_id, pick } = locks;
  if (!locked) return { reason: 'no_bid', detail: { ping_id } };
  if (pick === undefined || pick === buyer_id) return undefined;
  return { reason: 'not_picked', detail: { ping_id, pick } };
}

function stateReason(
  { states }: BuyerTerms,
  { fields }: EligibleLead,
  { partial }: FilterContext,
): Skip | false | undefined {
  if (states.length === 0) return undefined;
  const state = fieldOf(fields, 'state');
  if (state === undefined) {
    return !partial && { reason: 'state_missing', detail: { served: states } };
  }
  const code = String(state).toUpperCase();
  if (states.some((served) => served.toUpperCase() === code)) return undefined;
  return { reason: 'state_not_served', detail: { state, served: states } };
}

function zipReason(
  { zips }: BuyerTerms,
  { fields }: EligibleLead,
  { partial }: FilterContext,
): Skip | false | undefined {
  if (!zips) return undefined;
  const zip = fieldOf(fields, 'zip_code');
  if (zip === undefined) return !partial && { reason: 'zip_missing', detail: servedArea(zips) };
  const answer = isWithin(String(zip), zips);
  if (answer === 'inside') return undefined;
  return {
    reason: 'zip_not_served',
    detail: {
      zip_code: zip,
      ...servedArea(zips),
      ...(answer === 'unknown' ? { unknown_zip: true } : distanceOf(String(zip), zips)),
    },
  };
}

/** Not the list itself: it can be as long as a book, and the plan has it. */
const servedArea = (area: ZipArea): Record<string, unknown> =>
  Array.isArray(area)
    ? { served_zips: area.length }
    : { served_miles: area.miles, served_centres: area.zips.length };

function distanceOf(zip: string, area: ZipArea): Record<string, unknown> {
  const miles = Array.isArray(area) ? undefined : milesToNearest(zip, area);
  return miles === undefined ? {} : { miles: Math.round(miles * 10) / 10 };
}

function filterReason(
  { filters }: BuyerTerms,
  { fields }: EligibleLead,
  context: FilterContext,
): Skip | undefined {
  const failures = evaluateFilters(filters, fields, context);
  return failures.length > 0
    ? { reason: 'filtered', detail: { failures: seenBy(failures) } }
    : undefined;
}

/** A buyer whose leads are held for it stays a candidate while it is closed. */
function outsideHoursReason(
  { schedule, when_closed: whenClosed }: BuyerTerms,
  _lead: EligibleLead,
  { now, timeZone }: FilterContext,
): Skip | undefined {
  if (!schedule || whenClosed === 'HOLD' || isOpenAt(schedule, now, timeZone)) return undefined;
  return {
    reason: 'closed',
    detail: {
      local_time: wallClock(now, timeZone),
      opens_at: nextOpening(schedule, now, timeZone),
    },
  };
}
