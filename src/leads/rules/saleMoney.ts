/** Present revenue and cost of a sale, in addition to the agreed ones (contract 7.3). */
import type { Lead, Sale } from './lead.js';
import type { Micros } from '../../fields/money.js';

export const revenueOf = ({ revenue, price }: Pick<Sale, 'revenue' | 'price'>): Micros =>
  revenue ?? price;

/** A return reverses the supplier's cost only where that was agreed. */
export const costOf = ({ cost, returned }: Pick<Sale, 'cost' | 'returned'>): Micros =>
  returned?.cost_reversed ? 0 : cost;

/** The person became a customer, and the lead was not returned. */
export const isConverted = ({ outcome, returned }: Pick<Sale, 'outcome' | 'returned'>): boolean =>
  outcome === 'converted' && returned === undefined;

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
