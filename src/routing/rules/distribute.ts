/**
 * The walk of a lead through its candidates: which buyers are asked, why others are not, and what follows from each
 * answer. Values outside the lead and its plan (the clock, counters, turns, breakers, answers) come from `Facts`, so
 * that the same walk predicts a decision and replays a stored one (`../replay/replayLead.ts`).
 */
import {
  orderByTurns,
  findNextBuyer,
  unavailableEntry,
  findUnavailability,
  turnEntry,
  type FindUnavailability,
} from './nextBuyer.js';
import { fullAt, fullEntry, type Offer } from './capUse.js';
import { CAP_SCOPES, type CapScope } from '../../account/rules/capLimits.js';
import type { Counters } from './caps.js';
import { consequenceOf } from './consequence.js';
import type { DeliveryVerdict } from '../../deliveries/rules/delivery.js';
import type { ClosingReason, TrailEntry } from '../../leads/rules/trail.js';
import type { BuyerTerms, Plan, SupplierTerms } from '../../account/rules/plan.js';
import { sharesTurns, type Turns } from './turns.js';

export interface Facts {
  /** The time of the next step. */
  now(): Date;
  turns(): Turns;
  /** Until when the buyer's breaker is open; null when it is healthy. */
  openUntil(buyerId: string): Date | null;
  /** The counters that the offer would add to, in the windows of the day; null where it is known that they have room. */
  counters(scope: CapScope, offer: Offer): Counters | null;
  /** The buyer's answer, as the trail has it; the offer has its reservations. */
  answer(offer: Offer): BuyerAnswer;
}

export interface BuyerAnswer {
  result: DeliveryVerdict['result'];
  reason: string;
  /** The trail's entry; null where no request is sent. */
  entry: TrailEntry | null;
}

/** A buyer that did not accept the lead now, and may later. */
export interface PassedBuyer {
  terms: BuyerTerms;
  reason: string;
}

/** One lead on its way. */
export interface Walk {
  readonly plan: Plan;
  readonly supplier: SupplierTerms;
  readonly isTest: boolean;
  /** Not asked yet, best first. */
  candidates: BuyerTerms[];
  passed: PassedBuyer[];
  sold: number;
  trail: TrailEntry[];
}

/** How a walk ends. Earlier sales of the walk remain. */
export type WalkEnd =
  | { kind: 'sold' }
  | { kind: 'unsold' }
  /** The supplier's cap is full. */
  | { kind: 'capped' }
  | { kind: 'waiting'; terms: BuyerTerms; reason: string };

/** Continues until the lead has all its sales, waits for a buyer, or no buyer is left. */
export function distribute(walk: Walk, facts: Facts): WalkEnd {
  while (walk.sold < walk.plan.max_sells) {
    const found = findNext(walk, facts);
    if (found === 'capped') return { kind: 'capped' };
    const end = found === null ? park(walk, facts) : applyAnswer(walk, found, facts, false);
    if (end) return end;
  }
  return { kind: 'sold' };
}

/**
 * Applies an answer; null when the walk continues.
 * @param again the lead has waited for this buyer
 */
export function applyAnswer(
  walk: Walk,
  offer: Offer,
  facts: Facts,
  again: boolean,
): WalkEnd | null {
  const { result, reason, entry } = facts.answer(offer);
  const { terms } = offer;
  if (entry) walk.trail.push(entry);
  switch (consequenceOf(result, terms, again)) {
    case 'sold':
      walk.sold += 1;
      walk.trail.push(saleEntry(terms, facts.now()));
      return null;
    case 'waits':
      return endWaiting(walk, { terms, reason }, facts);
    case 'next':
      if (result === 'not_taken') {
        walk.passed.push({ terms, reason });
        if (terms.when_unavailable === 'WAIT') walk.candidates = [];
      }
      return null;
  }
}

/** The next buyer with room; null when none is left. */
function findNext(walk: Walk, facts: Facts): Offer | 'capped' | null {
  for (;;) {
    const terms = chooseBuyer(walk, facts);
    if (!terms) return null;
    const offer = offerTo(walk, terms);
    const full = findFullScope(walk, offer, facts);
    if (full === null) return offer;
    if (full === 'supplier') return 'capped';
    if (full === 'campaign') {
      walk.candidates = [];
      return null;
    }
  }
}

function chooseBuyer(walk: Walk, facts: Facts): BuyerTerms | undefined {
  const { plan, isTest, trail } = walk;
  if (walk.candidates.length === 0) return undefined;
  const now = facts.now();
  const unavailabilityOf: FindUnavailability = (terms) =>
    findUnavailability(terms, facts.openUntil(terms.buyer_id), now, plan.time_zone);
  if (sharesTurns(plan)) {
    const { candidates, turn } = orderByTurns(
      { plan, isTest, candidates: walk.candidates },
      facts.turns(),
      unavailabilityOf,
    );
    walk.candidates = candidates;
    if (turn) trail.push(turnEntry(turn, now));
  }
  const { next, left, unavailable } = findNextBuyer(walk.candidates, unavailabilityOf);
  walk.candidates = left;
  for (const one of unavailable) {
    trail.push(unavailableEntry(one, now));
    walk.passed.push({ terms: one.terms, reason: one.unavailability.reason });
  }
  return next;
}

/** The first cap without room, which it adds to the trail. */
function findFullScope(walk: Walk, offer: Offer, facts: Facts): CapScope | null {
  for (const scope of CAP_SCOPES) {
    const counters = facts.counters(scope, offer);
    if (!counters || !fullAt(scope, offer, counters)) continue;
    walk.trail.push(fullEntry(scope, offer, counters, facts.now()));
    return scope;
  }
  return null;
}

/**
 * No buyer can be asked: the lead is parked for the best buyer that was passed over and has room. Null when none has, and
 * there are buyers behind the one that it would have waited for.
 */
function park(walk: Walk, facts: Facts): WalkEnd | null {
  for (const passed of walk.passed) {
    const full = findFullScope(walk, offerTo(walk, passed.terms), facts);
    if (full === null) return endWaiting(walk, passed, facts);
    if (full === 'campaign') walk.candidates = [];
  }
  walk.passed = [];
  return walk.candidates.length > 0 ? null : { kind: 'unsold' };
}

function endWaiting(walk: Walk, { terms, reason }: PassedBuyer, facts: Facts): WalkEnd {
  walk.trail.push(waitingEntry(terms, reason, facts.now()));
  return { kind: 'waiting', terms, reason };
}

export const offerTo = ({ plan, supplier, isTest, sold }: Walk, terms: BuyerTerms): Offer => ({
  plan,
  supplier,
  terms,
  isTest,
  further: sold > 0,
});

/** Trail entry: a sale. */
export const saleEntry = ({ buyer_id }: BuyerTerms, at: Date): TrailEntry => ({
  at,
  step: 'closing',
  result: 'ACCEPTED',
  buyer_id,
});

/** Trail entry: the lead is in a buyer's queue. */
export const waitingEntry = ({ buyer_id }: BuyerTerms, reason: string, at: Date): TrailEntry => ({
  at,
  step: 'closing',
  result: 'waiting',
  buyer_id,
  reason,
});

/** The final status of a lead, and its reason. */
export interface Ending {
  status: 'UNMATCHED' | 'REJECTED';
  reason: ClosingReason;
}

/** The ending of a walk without a further sale; null where all sales were made, or the lead waits. */
export function endingOf(kind: 'unsold' | 'capped', sold: number): Ending;
export function endingOf(kind: WalkEnd['kind'], sold: number): Ending | null;
export function endingOf(kind: WalkEnd['kind'], sold: number): Ending | null {
  switch (kind) {
    case 'unsold':
      return { status: 'UNMATCHED', reason: sold > 0 ? 'no_more_buyers' : 'no_buyer' };
    case 'capped':
      return { status: 'REJECTED', reason: 'supplier_capped' };
    case 'sold':
    case 'waiting':
      return null;
  }
}
