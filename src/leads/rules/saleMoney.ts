/** What a sale brings and costs now, beside what was agreed (contract 7.3). */
import type { Lead, Sale } from './lead.js';
import type { Micros } from '../../fields/money.js';

export const revenueOf = ({ revenue, price }: Pick<Sale, 'revenue' | 'price'>): Micros =>
  revenue ?? price;

/** A return takes the supplier's money back only where that was agreed. */
export const costOf = ({ cost, returned }: Pick<Sale, 'cost' | 'returned'>): Micros =>
  returned?.cost_reversed ? 0 : cost;

/** It became a customer, and was not given back. */
export const isConverted = ({ outcome, returned }: Pick<Sale, 'outcome' | 'returned'>): boolean =>
  outcome === 'converted' && returned === undefined;

/**
 * What the sale brings by its outcome: converted, what the buyer said it paid, or the agreed price of a conversion, or
 * the price; otherwise the price. Given back, and of a test lead, nothing.
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
