/** Whose caps a sale counts in: its buyer's link, its supplier's link and its campaign. */
import { CAP_WINDOWS, type CapWindow, hasCaps } from '../../../src/account/rules/capLimits.js';
import type { Lead } from '../../../src/leads/rules/lead.js';
import type { CapLimits } from '../../../src/account/rules/capLimits.js';
import type { Micros } from '../../../src/fields/money.js';
import { windowsIn } from '../../../src/deliveries/rules/rowWindows.js';
import { linkOf } from '../../../src/routing/store/caps.js';
import { weekdayOf } from '../load/calendar.js';
import type { DeliveryDoc } from '../../../src/deliveries/store/deliveryDoc.js';
import type { BuyerLinkFacts, SupplierLinkFacts } from '../evidence/evidence.js';
import type { Facts } from './facts.js';

/** A buyer link, supplier link or campaign with its own counters. */
export interface Counted {
  /** The id of its counters in the record. */
  id: string;
  limits: CapLimits;
  /** Whether the service keeps counters for it: for buyers always, for the others where there are limits. */
  kept: boolean;
  /** Some sale in it is priced only by the buyer's answer. */
  named: boolean;
}

/** A sale's share in one counter. */
export interface Share {
  of: Counted;
  /** A further sale of a lead counts one more lead for its buyer only. */
  leads: 0 | 1;
  /** The money that counts toward budgets: as recorded, or by the link where nothing is recorded. */
  amount: Micros;
  /** The link's price: what had to fit when the lead was sent. */
  reserved: Micros;
}

export const WINDOWS: readonly CapWindow[] = CAP_WINDOWS.map(({ window }) => window);

interface InWindow {
  window: CapWindow;
  key: string;
}

interface Terms {
  buyer: Counted;
  supplier: Counted;
  campaign: Counted;
  link: BuyerLinkFacts;
  paid: SupplierLinkFacts;
}

/** Returns what an attempt, sold or still waiting, counts in. Test leads count nowhere. */
export function createShares(
  facts: Facts,
): (lead: Lead, buyerId: string, row: DeliveryDoc | undefined) => readonly Share[] {
  const known = new Map<string, Terms | null>();
  return (lead, buyerId, row) => {
    if (lead.is_test) return [];
    const id = `${lead.campaign_id} ${lead.supplier_id} ${buyerId}`;
    const terms = known.get(id) ?? termsOf(lead, buyerId, facts);
    known.set(id, terms);
    return terms ? sharesOf(lead, row, terms) : [];
  };
}

function termsOf(
  { campaign_id, supplier_id }: Lead,
  buyerId: string,
  { campaigns, buyerLink, supplierLink }: Facts,
): Terms | null {
  const campaign = campaigns.get(campaign_id);
  const link = buyerLink(campaign_id, buyerId);
  const paid = supplierLink(campaign_id, supplier_id);
  if (!campaign || !link || !paid) return null;
  const anyNamed = campaign.buyers.some(({ names_price }) => names_price);
  const counted = (id: string, limits: CapLimits, named = anyNamed): Counted => ({
    id,
    limits,
    named,
    kept: hasCaps(limits),
  });
  const buyer = counted(`buyer:${campaign_id}:${buyerId}`, link.caps, link.names_price);
  return {
    link,
    paid,
    buyer: { ...buyer, kept: true },
    supplier: counted(
      `supplier:${campaign_id}:${supplier_id}`,
      paid.caps,
      anyNamed && paid.cost_mode === 'REVENUE_SHARE',
    ),
    campaign: counted(`campaign:${campaign_id}`, campaign.caps),
  };
}

function sharesOf(lead: Lead, row: DeliveryDoc | undefined, terms: Terms): Share[] {
  const { link, paid } = terms;
  const [first] = lead.sales;
  const sale = lead.sales.find(({ attempt }) => attempt === row?.n);
  const further = first !== undefined && first !== sale;
  const leads = further ? 0 : 1;
  const price = sale?.price ?? link.price;
  const cost = {
    amount: costOf(price, paid, further),
    reserved: costOf(link.price, paid, further),
  };
  return [
    { of: terms.buyer, leads: 1, amount: price, reserved: link.price },
    { of: terms.supplier, leads, ...cost },
    { of: terms.campaign, leads, amount: price, reserved: link.price },
  ];
}

const WHOLE = 100n * 10_000n;

/**
 * What a supplier gets for one sale: a fixed cost once a lead, or its share of the price (percent to four
 * decimals), rounded half up to a micro-unit.
 */
export function costOf(
  price: Micros,
  {
    cost_mode,
    cost,
    revenue_share,
  }: Pick<SupplierLinkFacts, 'cost_mode' | 'cost' | 'revenue_share'>,
  further: boolean,
): Micros {
  if (cost_mode === 'FIXED') return further ? 0 : cost;
  if (cost_mode === 'NONE') return 0;
  const doubled = 2n * BigInt(price) * BigInt(Math.round(revenue_share * 10_000));
  return Number((doubled + WHOLE) / (2n * WHOLE));
}

/**
 * The windows that a row says its lead is counted in for its buyer, its supplier or its campaign; without them only
 * the total.
 */
export const windowsOf = (row: DeliveryDoc | undefined, { id }: Pick<Counted, 'id'>): InWindow[] =>
  WINDOWS.flatMap((window): InWindow[] => {
    if (window === 'total') return [{ window, key: 'all' }];
    const key = row && windowsIn(row, linkOf(id).scope)?.[window];
    return key === undefined ? [] : [{ window, key }];
  });

/** The most that a window may count. */
export function roomOf(
  limits: CapLimits,
  { window, key }: InWindow,
): { count: number; amount: Micros } {
  const names = CAP_WINDOWS.find((one) => one.window === window);
  if (!names) return { count: Infinity, amount: Infinity };
  const own = window === 'day' ? limits.daily_caps?.[weekdayOf(key)] : null;
  return { count: own ?? limits[names.cap] ?? Infinity, amount: limits[names.budget] ?? Infinity };
}
