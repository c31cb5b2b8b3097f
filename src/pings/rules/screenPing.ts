/** Which buyers may bid for a ping, and why each other one does not. */
import { findUnavailability } from '../../routing/rules/nextBuyer.js';
import { findSkipReason } from '../../routing/rules/eligibility.js';
import { evaluateFilters } from '../../fields/filters.js';
import type { BuyerTerms } from '../../account/rules/plan.js';
import type { SkippedBuyer } from '../../routing/rules/routing.js';
import { judgeSuppression } from '../../routing/rules/suppression.js';
import { type PingInput, type PingOpen, type PingRefused, getSupplierTerms } from './auction.js';
import { noBidReason } from './noBidReason.js';
import { capCheck, NO_MONEY, type CapCheck } from './pingCaps.js';
import type { PingRefusal, Unbid } from './ping.js';
import { bidOf } from '../../account/rules/bid.js';
import { DEFAULT_PING_SETTINGS } from '../../account/rules/pingSettings.js';
import { getOwn } from '../../lib/getOwn.js';
import type { FilterFailure } from '../../lib/filterFailure.js';

/**
 * Checks everything but the money of live bids, on the fields that were sent. The first that applies refuses the
 * ping: pauses, filters, suppression lists, duplicates, caps of the supplier or the campaign; then each buyer is
 * checked by itself. A test ping is refused by no pause, duplicate or cap (contract 2.6).
 * @throws {Error} when the plan has no such supplier
 */
export function screenPing(input: PingInput): PingRefused | PingOpen {
  const { plan, now, hits = [] } = input;
  const atOnce = refusedAtOnce(input);
  if (atOnce) return atOnce;
  const judged = judgeSuppression(plan, eligible(input), hits, now);
  if (judged.kind === 'rejected') {
    return { ...refused('suppressed'), filter_errors: judged.filter_errors };
  }
  const { candidates, skipped } = judged.ranking;
  const unbid = skipped.map((skip): Unbid => skipWithoutValues(skip));
  const routed = routedTo(input, candidates);
  if (routed === 'duplicate') return { ...refused('duplicate'), unbid };
  const caps = capCheck(input);
  const all = [...unbid, ...routed.unbid];
  const full = caps.general();
  if (full) {
    const others = routed.candidates.map(({ buyer_id }): Unbid => ({ buyer_id, ...full }));
    return { ...refused('capped'), unbid: [...all, ...others] };
  }
  return opened(routed.candidates, all, (terms) => whyNoBid(terms, input, caps));
}

/**
 * Pauses and filters: the refusals by the plan alone, so that nothing has to be read for such a ping.
 * @throws {Error} when the plan has no such supplier
 */
export function refusedAtOnce(input: PingInput): PingRefused | null {
  const { plan, fields, is_test: isTest, now } = input;
  const supplier = getSupplierTerms(input);
  if (!isTest && (plan.status !== 'ACTIVE' || supplier.status === 'paused')) {
    return refused('paused');
  }
  const context = { now, timeZone: plan.time_zone, partial: true };
  const failures = evaluateFilters(plan.filters, fields, context);
  if (failures.length === 0) return null;
  return { ...refused('filtered'), filter_errors: failuresWithoutValues(failures) };
}

/**
 * Leaves out bidders whose `daily_ping_cap` is full.
 * @param full ids of these
 */
export function withPingCaps(
  { bidders, unbid }: PingOpen,
  full: ReadonlySet<string>,
): PingRefused | PingOpen {
  return opened(bidders, unbid, ({ buyer_id, daily_ping_cap: cap }) =>
    full.has(buyer_id) ? { reason: 'ping_cap', detail: { daily_ping_cap: cap ?? null } } : null,
  );
}

const refused = (reason: PingRefusal): PingRefused => ({ kind: 'refused', reason, unbid: [] });

/** The campaign's distribution method does not matter here: the bids determine the order. */
function eligible({ plan, fields, is_test, now }: PingInput): {
  candidates: BuyerTerms[];
  skipped: SkippedBuyer[];
} {
  const context = {
    now,
    timeZone: plan.time_zone,
    partial: true,
    method: 'HIGHEST_BID' as const,
  };
  const candidates: BuyerTerms[] = [];
  const skipped: SkippedBuyer[] = [];
  for (const terms of plan.buyers) {
    const why = findSkipReason(terms, { fields, is_test }, context);
    if (why) skipped.push({ buyer_id: terms.buyer_id, ...why });
    else candidates.push(terms);
  }
  return { candidates, skipped };
}

/** Only the buyer of the original may bid for a repeat, where the campaign routes repeats. */
function routedTo(
  { plan, is_test: isTest, original = null }: PingInput,
  candidates: BuyerTerms[],
): 'duplicate' | { candidates: BuyerTerms[]; unbid: Unbid[] } {
  const { check_duplicates: checked } = plan.ping ?? DEFAULT_PING_SETTINGS;
  if (!original || isTest || !checked) return { candidates, unbid: [] };
  const { lead_id: of, buyer_id: routeTo } = original;
  if (plan.dedupe.on_duplicate === 'REJECT' || routeTo === null) return 'duplicate';
  const others = candidates.filter(({ buyer_id }) => buyer_id !== routeTo);
  return {
    candidates: candidates.filter(({ buyer_id }) => buyer_id === routeTo),
    unbid: others.map(({ buyer_id }) => ({
      buyer_id,
      reason: 'not_original',
      detail: { route_to: routeTo, of },
    })),
  };
}

type Why = Omit<Unbid, 'buyer_id'>;

/** Reasons known without a ping to the buyer: its breaker is open, its price makes no bid, a cap is full. */
function whyNoBid(terms: BuyerTerms, input: PingInput, caps: CapCheck): Why | null {
  const { plan, now, openUntil = {} } = input;
  const unavailability = findUnavailability(
    terms,
    getOwn(openUntil, terms.buyer_id),
    now,
    plan.time_zone,
  );
  if (unavailability)
    return { reason: unavailability.reason, detail: { until: unavailability.until } };
  if (terms.ping) return caps.forBid(terms, NO_MONEY);
  const { price } = terms;
  const settings = plan.ping ?? DEFAULT_PING_SETTINGS;
  const priced = bidOf({ price, terms, supplier: getSupplierTerms(input), settings });
  return 'reason' in priced ? priced : caps.forBid(terms, { price, bid: priced.bid });
}

function opened(
  candidates: readonly BuyerTerms[],
  before: readonly Unbid[],
  whyNot: (terms: BuyerTerms) => Why | null,
): PingRefused | PingOpen {
  const bidders: BuyerTerms[] = [];
  const unbid = [...before];
  for (const terms of candidates) {
    const why = whyNot(terms);
    if (why) unbid.push({ buyer_id: terms.buyer_id, ...why });
    else bidders.push(terms);
  }
  return bidders.length === 0 ? noBidReason(unbid) : { kind: 'open', bidders, unbid };
}

// Applies to the stored decision about a ping: nothing is stored about a person that never became a lead.

/** Details that contain a value of the ping; `miles` reveals where a person lives. */
const VALUES: readonly string[] = ['state', 'zip_code', 'miles'];

const failuresWithoutValues = (failures: readonly FilterFailure[]): FilterFailure[] =>
  failures.map(({ actual: _actual, ...failure }) => failure);

/** Why a buyer is left out: its requirement, without the ping's value. */
function skipWithoutValues({ buyer_id, reason, detail }: SkippedBuyer): SkippedBuyer {
  const kept = Object.entries(detail)
    .filter(([name]) => !VALUES.includes(name))
    .map(([name, value]): [string, unknown] => [name, withoutActual(value)]);
  return { buyer_id, reason, detail: Object.fromEntries(kept) };
}

/** Failures of filters contain the value that they checked. */
const withoutActual = (value: unknown): unknown =>
  Array.isArray(value) ? value.map((item: unknown) => without('actual', item)) : value;

const without = (name: string, item: unknown): unknown =>
  typeof item === 'object' && item !== null
    ? Object.fromEntries(Object.entries(item).filter(([key]) => key !== name))
    : item;
