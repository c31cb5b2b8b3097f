/** Present revenue and cost of a sale, in addition to the agreed ones (contract 7.3). */
import type { Lead, Sale } from './lead.js';
import type { BuyerTerms, Plan } from '../../account/rules/plan.js';
import type { Micros } from '../../fields/money.js';
import { getOwn } from '../../lib/getOwn.js';

export const revenueOf = ({ revenue, price }: Pick<Sale, 'revenue' | 'price'>): Micros =>
  revenue ?? price;

/** A return reverses the supplier's cost only where that was agreed. */
export const costOf = ({ cost, carries = 0, returned }: CostOfSale): Micros =>
  returned?.cost_reversed ? 0 : cost + carries;

type CostOfSale = Pick<Sale, 'cost' | 'carries' | 'returned'>;

/** Whether the supplier is paid once for the lead, however often it is sold; otherwise it is paid for each sale. */
export const owesOnce = (
  plan: Pick<Plan, 'suppliers'> | undefined,
  { supplier_id }: Pick<Lead, 'supplier_id'>,
): boolean => plan !== undefined && getOwn(plan.suppliers, supplier_id)?.cost_mode === 'FIXED';

/**
 * For a lead whose supplier is paid once: when the sale that bore the cost drops it, the cost moves to the first other
 * sale for which the supplier is still owed. If there is none, nothing is owed.
 */
export function passOnCost(sales: readonly Sale[], before: Sale, after: Sale): Sale[] {
  const freed = costOf(before) - costOf(after);
  const heir = sales.find((one) => one !== after && !one.returned?.cost_reversed);
  return sales.map((one) =>
    one === heir && freed > 0 ? { ...one, carries: (one.carries ?? 0) + freed } : one,
  );
}

/** The person became a customer, and the lead was not returned. */
export const isConverted = ({ outcome, returned }: Pick<Sale, 'outcome' | 'returned'>): boolean =>
  outcome === 'converted' && returned === undefined;

/** Stored with the sale: the link may have changed when the lead converts. */
export const conversionTerms = ({
  conversion_price,
}: Pick<BuyerTerms, 'conversion_price'>): Pick<Sale, 'conversion_price'> => ({
  conversion_price: conversion_price ?? undefined,
});

/**
 * The revenue of the sale by its outcome: if converted, what the buyer reported, or the agreed price of a conversion,
 * or the price; otherwise the price. For a returned sale, and for a test lead, nothing.
 */
export function revenueNow(sale: Sale, isTest: boolean): Micros {
  if (isTest || sale.returned) return 0;
  if (!isConverted(sale)) return sale.price;
  return sale.conversion_revenue ?? sale.conversion_price ?? sale.price;
}

/** The sums of a lead. */
export function moneyOf(sales: readonly Sale[]): Pick<Lead, 'price' | 'cost' | 'profit'> {
  const price = sales.reduce((sum, sale) => sum + revenueOf(sale), 0);
  const cost = sales.reduce((sum, sale) => sum + costOf(sale), 0);
  return { price, cost, profit: price - cost };
}
