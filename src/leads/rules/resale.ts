/** A lead that is sold again: a new lead with the data of another. */
import type { Plan } from '../../account/rules/plan.js';
import { newLead, type Lead } from './lead.js';
import { costOf } from './saleMoney.js';
import { withStaticBids } from './staticBids.js';
import { getOwn } from '../../lib/getOwn.js';

/** How often the same data may be sold again; it ends orders that trigger each other. */
const RESALES_MAX = 10;

/**
 * The plan that decides a resold lead: buyers that had it are left out, a paid cost is not paid again, and a lead
 * that replaces a sale is sold once. Where leads come by pings, the prices of links are its bids. Applying it
 * again changes nothing.
 */
export function applyResale(plan: Plan, lead: ResoldLead): Plan {
  const { resale, supplier_id } = lead;
  if (!resale) return plan;
  const supplier = getOwn(plan.suppliers, supplier_id);
  const free = resale.paid && supplier ? { ...supplier, cost_mode: 'NONE' as const } : supplier;
  return {
    ...(resale.static_bids && supplier ? withStaticBids(plan, supplier, resale) : plan),
    had_it: resale.exclude,
    max_sells: resale.replaces ? 1 : plan.max_sells,
    suppliers: free ? { ...plan.suppliers, [supplier_id]: free } : plan.suppliers,
  };
}

export type ResoldLead = Pick<Lead, 'supplier_id' | 'resale'>;

/** Where the data of a lead came from: all leads with the same data have the same root. */
export const rootOf = ({ _id, resale }: Pick<Lead, '_id' | 'resale'>): string =>
  resale ? (resale.root ?? resale.origin) : _id;

/** A lead in its own campaign stands for a sale that was made there. */
export const replacesSale = (
  { campaign_id, sales }: Pick<Lead, 'campaign_id' | 'sales'>,
  plan: Pick<Plan, 'campaign_id'>,
): boolean => plan.campaign_id === campaign_id && sales.length > 0;

/** The new lead, as it is stored before any run has acquired it. */
export function resoldLead(made: {
  id: string;
  order_id: string;
  origin: Lead;
  exclude: readonly string[];
  plan: Pick<Plan, 'campaign_id' | 'version' | 'routing_method'>;
  /** Its place among the leads with these data, from 1. */
  nth: number;
  /** What it replaces. */
  replaced: ReplacedSale;
  body_hash: string;
  now: Date;
}): Omit<Lead, 'trail'> {
  const { id, order_id, origin, plan, nth, body_hash, now } = made;
  const { org_id, supplier_id, is_test, fields, extra, keys, sales, resale } = origin;
  const buyers = sales.map(({ buyer_id }) => buyer_id);
  const campaigns = [...(resale?.campaigns ?? []), origin.campaign_id];
  const replaces = replacesSale(origin, plan);
  return {
    ...newLead(id, now),
    org_id,
    supplier_id,
    is_test,
    fields,
    extra,
    keys,
    body_hash,
    campaign_id: plan.campaign_id,
    plan_version: plan.version,
    take_by: NEVER_TOO_LATE,
    resale: {
      origin: origin._id,
      root: rootOf(origin),
      nth,
      order_id,
      campaigns,
      exclude: [...new Set([...(resale?.exclude ?? []), ...buyers, ...made.exclude])],
      replaces,
      static_bids: plan.routing_method === 'PING_POST' || undefined,
      paid: replaces && isPaid(origin, made.replaced),
    },
  };
}

export interface ReplacedSale {
  /** The buyer that returned it; absent: not known. */
  returned_by?: string;
  /** The origin owes its supplier one cost, however often it is sold. */
  owesOnce: boolean;
}

/** The supplier was paid for what the new lead replaces, and keeps the money: it is not paid for it again. */
function isPaid({ sales, resale }: Lead, { returned_by, owesOnce }: ReplacedSale): boolean {
  if (resale?.paid) return true;
  if (owesOnce) return sales.some((sale) => costOf(sale) > 0);
  const ended = sales.filter(({ buyer_id, returned }) =>
    returned_by === undefined ? returned : buyer_id === returned_by,
  );
  return (ended.length > 0 ? ended : sales).some((sale) => costOf(sale) > 0);
}

/** No supplier waits for its answer or has received another: a run may acquire it at any time. */
const NEVER_TOO_LATE = new Date('9999-12-31T00:00:00Z');

/** Why a lead cannot be sold again in a campaign at present; null when it can. */
export function findResaleRefusal(
  origin: Pick<Lead, 'campaign_id' | 'supplier_id' | 'is_test' | 'resale' | 'origin'>,
  plan: Pick<Plan, 'campaign_id' | 'name' | 'status' | 'suppliers'>,
): string | null {
  const before = [...(origin.resale?.campaigns ?? []), origin.campaign_id];
  const isOwn = plan.campaign_id === origin.campaign_id;
  const supplier = getOwn(plan.suppliers, origin.supplier_id);
  if (origin.origin?.suspect) return 'It is the lead of a suspected bot, which is never sold.';
  if (before.length > RESALES_MAX)
    return `Its data was already resold ${RESALES_MAX} times, which is the maximum.`;
  if (!isOwn && before.includes(plan.campaign_id))
    return `Its data has been in the campaign ${plan.name} before.`;
  if (!supplier)
    return `Its supplier is not linked to the campaign ${plan.name}; add_supplier_to_campaign links it.`;
  if (origin.is_test) return null;
  if (plan.status !== 'ACTIVE')
    return `The campaign ${plan.name} is ${plan.status}; only an ACTIVE campaign accepts leads.`;
  if (!isOwn && supplier.status === 'paused')
    return `Its supplier, or the supplier's link to the campaign ${plan.name}, is paused.`;
  return null;
}

/** An order for a new lead with the data of another. */
export interface ResaleOrder {
  /** Id of the order's cause: the same order makes the same lead, however often it is repeated. */
  id: string;
  /** The lead whose data it gets. */
  lead: Lead;
  /** Where it is sold: the lead's own campaign, or another of its organization. */
  campaign_id: string;
  /** Ids of buyers that must not get it, in addition to those that may have the data already. */
  exclude?: readonly string[];
  /** The buyer whose sale was returned, where that is why it is sold again. */
  returned_by?: string;
}

/**
 * The new lead is stored and started; or why there is none, in words. busy: the data are still being sold, so the order
 * must be repeated later.
 */
export type ResaleAnswer = { lead_id: string } | { refused: string } | { busy: string };

/** Safe to repeat. Rejects when the database is unavailable: the result is unknown, and the order must be repeated. */
export type Redistribute = (order: ResaleOrder) => Promise<ResaleAnswer>;
