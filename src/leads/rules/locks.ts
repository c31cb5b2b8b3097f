/** The plan as it applies to one lead: with the bids that were promised for it (contract 5.5). */
import type { Lead } from './lead.js';
import type { TrailEntry } from './trail.js';
import type { Plan } from '../../account/rules/plan.js';
import type { LeadPing } from './leadPing.js';
import { applyResale } from './resale.js';

/**
 * With the bids that were promised for the lead, and without the buyers that had its data. All code that loads the plan
 * of a stored lead uses this; applying it again changes nothing.
 */
export const planOfLead = (plan: Plan, lead: Pick<Lead, 'ping' | 'resale' | 'supplier_id'>): Plan =>
  applyResale(applyLocks(plan, lead), lead);

/**
 * The plan that decides a lead: for one that redeemed a ping, each bidder's price and cost are those of its bid,
 * and the bids determine the order. Applying it again changes nothing.
 */
export function applyLocks(plan: Plan, { ping }: Pick<Lead, 'ping'>): Plan {
  if (!ping) return plan;
  const { ping_id, pick, bids } = ping;
  const ranked = new Map(bids.map((bid, rank) => [bid.buyer_id, { ...bid, rank }]));
  return {
    ...plan,
    locks: { ping_id, pick },
    buyers: plan.buyers.map((terms) => {
      const locked = ranked.get(terms.buyer_id);
      if (!locked) return terms;
      const { price, bid: cost, rank } = locked;
      return { ...terms, price, locked: { cost, rank } };
    }),
  };
}

/** Trail entries: the redeemed ping with its promises, and the lead's differences from it. */
export function pingEntries(ping: LeadPing, at: Date): TrailEntry[] {
  const { ping_id, pick, bids, differs = [] } = ping;
  const locked = bids.map(({ buyer_id, price, bid }) => ({ buyer_id, price, bid }));
  const detail = { ping_id, bids: locked, pick };
  const redeemed: TrailEntry = { at, step: 'ping', result: 'redeemed', detail };
  if (differs.length === 0) return [redeemed];
  return [redeemed, { at, step: 'ping', result: 'differs', detail: { fields: differs } }];
}
