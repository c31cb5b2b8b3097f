/** Compares what happened with what must happen, and what Leadwire booked with what the buyers were sent. */
import type { Lead } from '../leads/rules/lead.js';
import type { Micros } from '../fields/money.js';
import { DEMO_BUYERS, type DemoBuyerName } from './buyerRules.js';
import { isTaken, type Receipt } from './receipts.js';

export interface BuyerComparison {
  buyer: DemoBuyerName;
  /** Leads and money that Leadwire booked. */
  sold: number;
  sold_amount: Micros;
  /** Leads and money that the buyer says it took. */
  received: number;
  received_amount: Micros;
  refused: number;
  unavailable: number;
  agrees: boolean;
}

/** Each buyer's side and ours, and one sentence for each disagreement. */
export function compareTotals(
  leads: readonly Pick<Lead, '_id' | 'sales'>[],
  receipts: readonly Receipt[],
  account: Record<DemoBuyerName, { id: string }>,
) {
  const ids = new Set(leads.map((lead) => lead._id));
  const ours = receipts.filter((receipt) => ids.has(receipt.lead_id));
  const buyers = DEMO_BUYERS.map((buyer): BuyerComparison => {
    const sales = leads.flatMap((lead) =>
      lead.sales
        .filter((sale) => sale.buyer_id === account[buyer].id)
        .map((sale) => ({ lead: lead._id, price: sale.price })),
    );
    const got = ours.filter((receipt) => receipt.buyer === buyer);
    const taken = got.filter(isTaken);
    const row = {
      buyer,
      sold: sales.length,
      sold_amount: sum(sales.map((sale) => sale.price)),
      received: taken.length,
      received_amount: sum(taken.map((receipt) => receipt.price)),
      refused: got.filter((receipt) => receipt.result === 'refused').length,
      unavailable: got.filter((receipt) => receipt.result === 'unavailable').length,
    };
    const sameLeads = sameSet(
      sales.map((sale) => sale.lead),
      taken.map((receipt) => receipt.lead_id),
    );
    return { ...row, agrees: sameLeads && row.sold_amount === row.received_amount };
  });
  return { buyers, problems: [...disagreements(buyers), ...soldTwice(ours)] };
}

const disagreements = (buyers: readonly BuyerComparison[]): string[] =>
  buyers
    .filter((row) => !row.agrees)
    .map(
      (row) =>
        `${row.buyer}: booked ${row.sold} leads for ${row.sold_amount / 1e6}, ` +
        `the buyer took ${row.received} for ${row.received_amount / 1e6}, or not the same ones`,
    );

/** What the buyers took although no lead of that id is in the record. */
export const unknownReceipts = (
  receipts: readonly Receipt[],
  isRecorded: (leadId: string) => boolean,
): string[] =>
  receipts
    .filter((receipt) => isTaken(receipt) && !isRecorded(receipt.lead_id))
    .map(({ buyer, lead_id }) => `${buyer} took lead ${lead_id}, which is not in the record`);

/** Every lead that more than one buyer took, or one buyer took twice. */
function soldTwice(receipts: readonly Receipt[]): string[] {
  const seen = new Set<string>();
  return receipts.filter(isTaken).flatMap(({ lead_id: lead }) => {
    if (seen.has(lead)) return [`lead ${lead} was taken more than once`];
    seen.add(lead);
    return [];
  });
}

type Compared = string | number | null | undefined;

/** A few words for each value that is otherwise than it must be. */
export const differencesOf = (
  rows: readonly (readonly [what: string, wanted: Compared, got: Compared])[],
): string[] =>
  rows
    .filter(([, wanted, got]) => wanted !== got)
    .map(([what, wanted, got]) => `${what} ${got ?? 'none'} instead of ${wanted ?? 'none'}`);

const sum = (amounts: readonly Micros[]): Micros => amounts.reduce((a, b) => a + b, 0);

const sameSet = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && new Set([...a, ...b]).size === a.length;
