/** Which buyer is asked next: the best candidate that is available, equally good ones by their turns. */
import type { TrailEntry } from '../../leads/rules/trail.js';
import { chooseDestination } from '../../deliveries/rules/choice.js';
import { isOpenAt, nextOpening } from '../../fields/schedule.js';
import { rankingOf, type BuyerTerms, type Plan } from '../../account/rules/plan.js';
import { afterTurn, byTurns, hasEquals, throughRank, type Turns } from './turns.js';
import { getOwn } from '../../lib/getOwn.js';

/** Why a candidate is not asked now. */
export interface Unavailability {
  until: Date;
  reason: 'breaker_open' | 'closed';
  /** Its leads wait for it, and go to no other buyer. */
  waits: boolean;
}

export type FindUnavailability = (terms: BuyerTerms) => Unavailability | null;

/**
 * Null when the buyer may be asked now.
 * @param openUntil until when its breaker is open; absent when it is healthy
 */
export function findUnavailability(
  terms: BuyerTerms,
  openUntil: Date | null | undefined,
  now: Date,
  timeZone: string,
): Unavailability | null {
  const opensAt = findOpening(terms, now, timeZone);
  const choice = chooseDestination({ opensAt, restsUntil: openUntil }, now);
  if (choice.kind === 'send') return null;
  const { at: until, reason } = choice;
  return { until, reason, waits: reason === 'closed' || terms.when_unavailable === 'WAIT' };
}

/**
 * When a buyer that is closed now opens, if its leads are held for it (`when_closed` HOLD); null when it may be asked
 * now. A closed buyer whose leads go to others is not a candidate: see `eligibility.ts`.
 */
export function findOpening(
  { schedule, when_closed }: Pick<BuyerTerms, 'schedule' | 'when_closed'>,
  now: Date,
  timeZone: string,
): Date | null {
  if (!schedule || when_closed === 'SKIP' || isOpenAt(schedule, now, timeZone)) return null;
  return nextOpening(schedule, now, timeZone);
}

/** Whose turn it was among equals, with the values that decided it. */
export interface Turn {
  /** Absent when all candidates are in a cooldown. */
  buyerId?: string;
  /** When each compared buyer had its latest turn. */
  last: Record<string, number>;
}

export interface TurnOrder {
  candidates: BuyerTerms[];
  /** Null when turns did not matter. */
  turn: Turn | null;
  /** With the turn of the buyer that will be asked. */
  turns: Turns;
}

/**
 * Orders candidates by their turns, and counts a turn for the one that will be asked first. A test lead reads the
 * turns, and takes none.
 */
export function orderByTurns(
  offered: { plan: Plan; isTest: boolean; candidates: readonly BuyerTerms[] },
  turns: Turns,
  unavailabilityOf: FindUnavailability,
): TurnOrder {
  const method = rankingOf(offered.plan);
  const candidates = byTurns(method, offered.candidates, turns);
  const first = candidates.findIndex((terms) => unavailabilityOf(terms)?.waits ?? true);
  const met = throughRank(method, candidates, first);
  const nth = candidates[first];
  const asked = nth && !unavailabilityOf(nth) ? nth.buyer_id : undefined;
  const after = asked === undefined || offered.isTest ? turns : afterTurn(turns, asked);
  if (!hasEquals(method, met)) return { candidates, turn: null, turns: after };
  const seen = met.map(({ buyer_id }): [string, number] => [
    buyer_id,
    getOwn(turns.last, buyer_id) ?? 0,
  ]);
  const turn = { buyerId: asked, last: Object.fromEntries(seen) };
  return { candidates, turn, turns: after };
}

export interface UnavailableBuyer {
  terms: BuyerTerms;
  unavailability: Unavailability;
}

export interface NextBuyer {
  /** Undefined when no buyer is left to ask now. */
  next: BuyerTerms | undefined;
  /** Those after it, in their order. */
  left: BuyerTerms[];
  /** Those before it: they are unavailable, and may accept the lead later. */
  unavailable: UnavailableBuyer[];
}

/** The first candidate that is available; none when the leads of an unavailable one before it wait for it. */
export function findNextBuyer(
  candidates: readonly BuyerTerms[],
  unavailabilityOf: FindUnavailability,
): NextBuyer {
  const unavailable: UnavailableBuyer[] = [];
  for (const [n, terms] of candidates.entries()) {
    const left = candidates.slice(n + 1);
    const unavailability = unavailabilityOf(terms);
    if (!unavailability) return { next: terms, left, unavailable };
    unavailable.push({ terms, unavailability });
    if (unavailability.waits) return { next: undefined, left, unavailable };
  }
  return { next: undefined, left: [], unavailable };
}

/** Trail entry: the values that decided the turn. */
export const turnEntry = ({ buyerId, last }: Turn, at: Date): TrailEntry => ({
  at,
  step: 'routing',
  result: 'turn',
  ...(buyerId === undefined ? { reason: 'all_resting' } : { buyer_id: buyerId }),
  detail: { last },
});

/** Trail entry: a buyer that was passed over, and until when it is unavailable. */
export const unavailableEntry = (
  { terms, unavailability }: UnavailableBuyer,
  at: Date,
): TrailEntry => ({
  at,
  step: 'routing',
  result: 'skipped',
  buyer_id: terms.buyer_id,
  reason: unavailability.reason,
  detail: { until: unavailability.until },
});
