/** Money adds up: each sale at its price, each cost as agreed, and nothing without a sale. */
import type { Lead } from '../../../src/domain/lead.js';
import type { Violation } from '../evidence.js';
import { stateOf, type Facts, type Property } from './facts.js';

export const money: Property = (facts) =>
  facts.evidence.record.leads.flatMap((lead) =>
    lead.status === 'ACCEPTED' ? wrongSale(lead, facts) : moneyWithoutSale(lead),
  );

function wrongSale(lead: Lead, { buyerLink, supplierLink, rowsOf }: Facts): Violation[] {
  const { price, cost, profit, sales, buyer_id } = lead;
  const found: Violation[] = [];
  const off = (rule: string, what: string) =>
    found.push({
      total: 'money off',
      rule,
      what: `${stateOf(lead)}, but ${what}`,
      lead_id: lead._id,
    });
  const link = buyer_id === null ? undefined : buyerLink(lead.campaign_id, buyer_id);
  const paid = supplierLink(lead.campaign_id, lead.supplier_id);
  // A test lead is sold for nothing.
  const rightPrice = lead.is_test ? 0 : link?.price;
  const rightCost = lead.is_test ? 0 : paid?.cost;
  if (price !== rightPrice) off('price_off', `its price is ${price}, not ${rightPrice ?? 'known'}`);
  if (cost !== rightCost) off('cost_off', `its cost is ${cost}, not ${rightCost ?? 'known'}`);
  if (profit !== price - cost) off('profit_off', `its profit is ${profit}, not ${price - cost}`);
  const [sale] = sales;
  if (!sale || sales.length > 1) {
    off('sales_off', `it has ${sales.length} sales`);
    return found;
  }
  if (sale.buyer_id !== buyer_id || sale.price !== price) {
    off('sales_off', `its sale is to ${sale.buyer_id} for ${sale.price}, not for ${price}`);
  }
  const row = rowsOf(lead._id).find(({ n }) => n === sale.attempt);
  if (row?.state !== 'accepted' || row.buyer_id !== sale.buyer_id) {
    const is = row ? `is ${row.state} by ${row.buyer_id}` : 'is not there';
    off('sales_off', `row ${sale.attempt}, which its sale names, ${is}`);
  }
  return found;
}

function moneyWithoutSale(lead: Lead): Violation[] {
  const { price, cost, profit, sales } = lead;
  if (price === 0 && cost === 0 && profit === 0 && sales.length === 0) return [];
  const what = `${stateOf(lead)}, but has ${sales.length} sales, price ${price}, cost ${cost}, profit ${profit}`;
  return [{ total: 'money off', rule: 'money_without_sale', what, lead_id: lead._id }];
}
