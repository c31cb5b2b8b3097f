/** Whose caps a sale counts in: its buyer's link, its supplier's link and its campaign. */
import { CAP_WINDOWS, hasCaps, type CapWindow } from '../../../src/domain/caps.js';
import type { Lead } from '../../../src/domain/lead.js';
import type { CapLimits, Micros } from '../../../src/domain/plan.js';
import type { DeliveryDoc } from '../../../src/store/collections.js';
import type { Facts } from './facts.js';

/** Something with counters of its own. */
export interface Counted {
  /** The id of its counters in the record. */
  id: string;
  limits: CapLimits;
  /** Whether the service keeps counters for it: for buyers always, for the others where there are limits. */
  kept: boolean;
}

/** A sale's share in one of them: a lead, and the money that budgets are about. */
export interface Share {
  of: Counted;
  amount: Micros;
}

export const WINDOWS: readonly CapWindow[] = CAP_WINDOWS.map(({ window }) => window);

interface InWindow {
  window: CapWindow;
  key: string;
}

/** Tells what a lead counts for with a buyer. Test leads count nowhere. */
export function createShares(facts: Facts): (lead: Lead, buyerId: string) => readonly Share[] {
  const known = new Map<string, Share[]>();
  return (lead, buyerId) => {
    if (lead.is_test) return [];
    const id = `${lead.campaign_id} ${lead.supplier_id} ${buyerId}`;
    const shares = known.get(id) ?? sharesOf(lead, buyerId, facts);
    known.set(id, shares);
    return shares;
  };
}

function sharesOf({ campaign_id, supplier_id }: Lead, buyerId: string, facts: Facts): Share[] {
  const campaign = facts.campaigns.get(campaign_id);
  const buyer = facts.buyerLink(campaign_id, buyerId);
  const supplier = facts.supplierLink(campaign_id, supplier_id);
  if (!campaign || !buyer || !supplier) return [];
  const counted = (id: string, limits: CapLimits, kept = hasCaps(limits)) => ({ id, limits, kept });
  return [
    { of: counted(`buyer:${campaign_id}:${buyerId}`, buyer.caps, true), amount: buyer.price },
    { of: counted(`supplier:${campaign_id}:${supplier_id}`, supplier.caps), amount: supplier.cost },
    { of: counted(`campaign:${campaign_id}`, campaign.caps), amount: buyer.price },
  ];
}

/** The windows that a row says its lead is counted in; without them only the one that never ends. */
export const windowsOf = (row: DeliveryDoc | undefined): InWindow[] =>
  WINDOWS.flatMap((window): InWindow[] => {
    if (window === 'total') return [{ window, key: 'all' }];
    const key = row?.reserved?.[window];
    return key === undefined ? [] : [{ window, key }];
  });

/** What a window holds at the most. */
export function roomOf(limits: CapLimits, window: CapWindow): { count: number; amount: Micros } {
  const names = CAP_WINDOWS.find((one) => one.window === window);
  if (!names) return { count: Infinity, amount: Infinity };
  return { count: limits[names.cap] ?? Infinity, amount: limits[names.budget] ?? Infinity };
}
