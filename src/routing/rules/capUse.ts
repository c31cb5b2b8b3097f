/** What a sale adds to the caps of its buyer, its supplier and its campaign. */
import { findFullCap, type Counters, type FullCap, type WindowCount } from './caps.js';
import { CAP_WINDOWS, limitsOn, type CapWindow } from '../../account/rules/capLimits.js';
import type { TrailEntry } from '../../leads/rules/trail.js';
import type { BuyerTerms, Plan, SupplierTerms } from '../../account/rules/plan.js';
import type { CapLimits, CapScope } from '../../account/rules/capLimits.js';
import type { Micros } from '../../fields/money.js';
import { priceLead, termsPrice } from '../../account/rules/pricing.js';

/** One lead about to be sold to one buyer. */
export interface Offer {
  plan: Plan;
  supplier: SupplierTerms;
  terms: BuyerTerms;
  isTest: boolean;
  /** The lead is sold already: its supplier and campaign have counted it. */
  further: boolean;
}

/** Leads and money that a sale adds to a counter. */
export interface CapUse {
  amount: Micros;
  leads: 0 | 1;
}

const LIMITS: Record<CapScope, (offer: Offer) => CapLimits> = {
  buyer: ({ terms }) => terms.caps,
  supplier: ({ supplier }) => supplier.caps,
  campaign: ({ plan }) => plan.caps,
};

export const limitsOf = (scope: CapScope, offer: Offer): CapLimits => LIMITS[scope](offer);

/** A lead counts once for its supplier and its campaign, however often it is sold; each buyer counts its own sale. */
export function capUse(scope: CapScope, offer: Offer): CapUse {
  const { terms, supplier, isTest, further } = offer;
  const amount =
    scope === 'supplier'
      ? priceLead({ ...termsPrice(terms), supplier, is_test: isTest, further }).cost
      : terms.price;
  return { amount, leads: further && scope !== 'buyer' ? 0 : 1 };
}

/** Why a cap has no room for the offer; null when it has. Test leads need none (contract 2.6). */
export function fullAt(scope: CapScope, offer: Offer, counters: Counters): FullCap | null {
  return offer.isTest ? null : findFullCap(counters, limitsOf(scope, offer), capUse(scope, offer));
}

/** The counts of the limited windows; the others did not matter. */
export type Counted = Partial<
  Record<CapWindow, Pick<WindowCount, 'count' | 'amount'> & Partial<WindowCount>>
>;

/**
 * Trail entry: a cap without room, with the values that were compared. If there is room, the reservation belongs to a
 * later run, and this one could not make it.
 */
export function fullEntry(scope: CapScope, offer: Offer, counters: Counters, at: Date): TrailEntry {
  const full = fullAt(scope, offer, counters);
  if (!full) return { at, step: 'caps', result: 'lost', reason: 'overtaken' };
  const set = limitsOf(scope, offer);
  const limits = limitsOn(set, counters.day.key);
  const counted: Counted = {};
  for (const { window, cap, budget } of CAP_WINDOWS) {
    if (limits[cap] == null && limits[budget] == null) continue;
    const { key, count, amount } = counters[window];
    // The day says which weekday's cap it was.
    counted[window] =
      window === 'day' && set.daily_caps ? { key, count, amount } : { count, amount };
  }
  return {
    at,
    step: 'caps',
    result: 'full',
    buyer_id: scope === 'buyer' ? offer.terms.buyer_id : undefined,
    reason: `${scope}_cap`,
    detail: { ...full, windows: counted },
  };
}
