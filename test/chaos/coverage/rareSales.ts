/** Rare states of selling: turns, hours, prices named by answers, several sales, limits and repeats. */
import type { Lead, Sale } from '../../../src/leads/rules/lead.js';
import type { TrailEntry } from '../../../src/leads/rules/trail.js';
import { countersOf } from '../../../src/routing/store/capDocs.js';
import type { CapLimits } from '../../../src/account/rules/capLimits.js';
import type { DeliveryDoc } from '../../../src/deliveries/store/deliveryDoc.js';
import { isSold, type Facts } from '../checker/facts.js';
import { roomOf, WINDOWS } from '../checker/links.js';
import { acrossLoss, isWaiting, leads, type Counter } from './rareCounters.js';

export const STATES_OF_SALES: Record<string, Counter> = {
  'waited for opening hours': leads(({ trail }) => trail.some(isHeld)),
  'waited for opening hours, and was sold': leads(
    (lead) => lead.trail.some(isHeld) && isSold(lead),
  ),
  "Temporal's store lost while the lead waited for opening hours": acrossLoss(isHeld),
  'passed by a buyer that was closed': leads(({ trail }) =>
    trail.some(({ result, reason }) => result === 'skipped' && reason === 'closed'),
  ),
  'a turn taken among equals': leads(({ trail }) => trail.some(isTurn)),
  'a second turn taken by one lead': leads(({ trail }) => trail.filter(isTurn).length > 1),
  'sold to two buyers': leads(({ sales }) => sales.length > 1),
  'a further sale made by a later run': furtherSales((row, first) => row.run !== first?.run),
  'a further sale after waiting for its buyer': furtherSales(({ tries }) => tries > 1),
  'sold to fewer buyers than allowed': ({ leads: all, campaigns }) =>
    [...all.values()].filter(
      ({ campaign_id, sales }) =>
        sales.length > 0 && sales.length < (campaigns.get(campaign_id)?.max_sells ?? 1),
    ).length,
  'sold, and to no more by the limit of its supplier': leads(
    (lead) => isSold(lead) && lead.trail.some(({ reason }) => reason === 'supplier_cap'),
  ),
  'booked at a price that the answer named': salesAt((price, linkPrice) => price !== linkPrice),
  'a budget passed by what answers named': budgetsPassed,
  'a repeat sold to the buyer of its original': leads(
    (lead) => lead.route_to !== undefined && isSold(lead),
  ),
  'a repeat that the buyer of its original did not get': leads(
    ({ route_to, status }) => route_to !== undefined && status === 'UNMATCHED',
  ),
  'a repeat of a lead that nobody had yet': leads(
    ({ duplicate_of, route_to, status }) =>
      duplicate_of !== undefined && route_to === undefined && status === 'UNMATCHED',
  ),
  "refused by a buyer's cap": leads(({ trail }) => trail.some(isFull('buyer_cap'))),
  "refused by a buyer's budget": refusedByBudget,
  "refused by a supplier's cap": leads(({ trail }) => trail.some(isFull('supplier_cap'))),
  "refused by the campaign's cap": leads(({ trail }) => trail.some(isFull('campaign_cap'))),
};

const isTurn = ({ step, result }: TrailEntry): boolean => step === 'routing' && result === 'turn';

function isHeld(entry: TrailEntry): boolean {
  return isWaiting(entry) && entry.reason === 'closed';
}

function isFull(why: string): (entry: TrailEntry) => boolean {
  return ({ step, reason }) => step === 'caps' && reason === why;
}

/** Sales after the first, by the rows of both. */
function furtherSales(is: (row: DeliveryDoc, first: DeliveryDoc | undefined) => boolean): Counter {
  return ({ leads: all, rowsOf }) =>
    [...all.values()].filter(({ _id, sales: [first, ...further] }) => {
      const rowOf = (sale: Sale | undefined) => rowsOf(_id).find(({ n }) => n === sale?.attempt);
      return further.some((sale) => {
        const row = rowOf(sale);
        return row !== undefined && is(row, rowOf(first));
      });
    }).length;
}

function salesAt(is: (price: number, linkPrice: number | undefined) => boolean): Counter {
  return ({ leads: all, buyerLink }) => {
    const isSuch = (lead: Lead): boolean =>
      lead.sales.some(({ buyer_id, price }) =>
        is(price, buyerLink(lead.campaign_id, buyer_id)?.price),
      );
    return [...all.values()].filter((lead) => !lead.is_test && isSuch(lead)).length;
  };
}

/** Counters above their budgets, which only prices named by answers may cause. */
function budgetsPassed({ evidence, buyerLink }: Facts): number {
  return evidence.record.caps.filter((doc) => {
    const [kind, campaignId = '', buyerId = ''] = doc._id.split(':');
    const limits: CapLimits = (kind === 'buyer' && buyerLink(campaignId, buyerId)?.caps) || {};
    const counters = countersOf(doc);
    return WINDOWS.some((window) => {
      const { key, amount } = counters[window];
      return amount > roomOf(limits, { window, key }).amount;
    });
  }).length;
}

/** Buyers that have budgets and no lead caps. */
function refusedByBudget({ leads: all, buyerLink }: Facts): number {
  const hasBudgetOnly = (campaignId: string, buyerId: string): boolean => {
    const limits = Object.entries(buyerLink(campaignId, buyerId)?.caps ?? {});
    return limits.length > 0 && limits.every(([name]) => name.endsWith('_budget'));
  };
  return [...all.values()].filter(({ campaign_id, trail }) =>
    trail
      .filter(isFull('buyer_cap'))
      .some(({ buyer_id }) => hasBudgetOnly(campaign_id, buyer_id ?? '')),
  ).length;
}
