/** Money adds up: each sale at its price, each cost as agreed, and no money without a sale. */
import type { Lead, Sale } from '../../../src/leads/rules/lead.js';
import type { Micros } from '../../../src/fields/money.js';
import type { DeliveryDoc } from '../../../src/deliveries/store/deliveryDoc.js';
import type { Violation } from '../evidence/evidence.js';
import { isSold, stateOf, type Facts, type Property } from './facts.js';
import { costOf } from './links.js';

export const money: Property = (facts) =>
  facts.evidence.record.leads.flatMap((lead) =>
    isSold(lead) ? wrongSales(lead, facts) : moneyWithoutSale(lead),
  );

type Off = (rule: string, what: string) => void;

function wrongSales(lead: Lead, facts: Facts): Violation[] {
  const { price, cost, profit, sales, buyer_id } = lead;
  const found: Violation[] = [];
  const off: Off = (rule, what) =>
    found.push({
      total: 'money off',
      rule,
      what: `${stateOf(lead)}, but ${what}`,
      lead_id: lead._id,
    });
  const [first] = sales;
  if (!first) off('sales_off', 'it has no sale');
  else if (first.buyer_id !== buyer_id) off('sales_off', `its first sale is to ${first.buyer_id}`);
  sales.forEach((sale) => judgeSale(sale, lead, facts, off));
  const sum = (read: (sale: Sale) => Micros): Micros =>
    sales.reduce((total, sale) => total + read(sale), 0);
  const [brought, costs] = [sum(bringsNow), sum((sale) => sale.cost)];
  if (price !== brought) off('price_off', `its price is ${price}, and its sales are ${brought}`);
  if (cost !== costs) off('cost_off', `its cost is ${cost}, and its sales cost ${costs}`);
  if (profit !== price - cost) off('profit_off', `its profit is ${profit}, not ${price - cost}`);
  return found;
}

/** Outcomes change a sale's revenue, and never its price or cost. */
const bringsNow = ({ revenue, price }: Sale): Micros => revenue ?? price;

function judgeSale(sale: Sale, lead: Lead, facts: Facts, off: Off): void {
  const { buyer_id, attempt, price, cost } = sale;
  const row = facts.rowsOf(lead._id).find(({ n }) => n === attempt);
  if (row?.state !== 'accepted' || row.buyer_id !== buyer_id) {
    const is = row ? `is ${row.state} by ${row.buyer_id}` : 'is not there';
    off('sales_off', `row ${attempt}, which its sale to ${buyer_id} names, ${is}`);
  }
  const right = rightPrices(sale, row, lead, facts);
  if (!right.includes(price)) {
    off('price_off', `its sale to ${buyer_id} is for ${price}, not for ${right.join(' or ')}`);
  }
  const paid = facts.supplierLink(lead.campaign_id, lead.supplier_id);
  const further = sale !== lead.sales[0];
  // A test lead is sold at price zero.
  const rightCost = lead.is_test ? 0 : paid && costOf(price, paid, further);
  if (cost !== rightCost) {
    const which = further ? 'further sale' : 'first sale';
    off(
      'cost_off',
      `its ${which}, to ${buyer_id} for ${price}, costs ${cost}, not ${rightCost ?? 'known'}`,
    );
  }
}

/** By the link, or by the buyer's answer: which of several answers the sender received is unknown here. */
function rightPrices(
  { buyer_id }: Sale,
  row: DeliveryDoc | undefined,
  lead: Lead,
  { buyerLink, requestsOf }: Facts,
): readonly Micros[] {
  if (lead.is_test) return [0];
  const link = buyerLink(lead.campaign_id, buyer_id);
  if (!link) return [];
  if (!link.names_price) return [link.price];
  const said = requestsOf(lead._id)
    .filter((request) => request.buyer_id === buyer_id && HAS_IT.includes(request.decision))
    .map((request) => request.price ?? link.price);
  const wasHeard = row?.http_status !== undefined && said.length > 0;
  return [...new Set([...said, ...(wasHeard ? [] : [link.price])])];
}

const HAS_IT: readonly string[] = ['accepted', 'replayed'];

function moneyWithoutSale(lead: Lead): Violation[] {
  const { price, cost, profit, sales } = lead;
  if (price === 0 && cost === 0 && profit === 0 && sales.length === 0) return [];
  const what = `${stateOf(lead)}, but has ${sales.length} sales, price ${price}, cost ${cost}, profit ${profit}`;
  return [{ total: 'money off', rule: 'money_without_sale', what, lead_id: lead._id }];
}
