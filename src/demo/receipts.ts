/** What the demo buyers were sent, kept so that both sides of a sale can be compared. */
import type { Micros } from '../fields/money.js';
import type { DemoAnswer, DemoBuyerName } from './buyerRules.js';

/** One request that a demo buyer got and how it answered. */
export interface Receipt {
  buyer: DemoBuyerName;
  lead_id: string;
  idempotency_key: string;
  result: DemoAnswer['result'];
  /** The same key had been answered before: the same answer again, nothing counted. */
  repeated: boolean;
  /** What the buyer owes for it by its own terms; what the request named where it agreed to none. */
  price: Micros;
}

/** Whether the buyer took the lead by this request, and not before. */
export const isTaken = ({ result, repeated }: Receipt): boolean =>
  result === 'accepted' && !repeated;

export interface BuyerTotals {
  requests: number;
  accepted: number;
  refused: number;
  unavailable: number;
  /** Sum of the prices of the accepted leads. */
  amount: Micros;
}

/** @param remembered how many requests are kept one by one */
export function createReceipts(remembered: number) {
  let recent: Receipt[] = [];
  const totals = new Map<DemoBuyerName, BuyerTotals>();
  const totalsOf = (buyer: DemoBuyerName): BuyerTotals =>
    totals.get(buyer) ?? { requests: 0, accepted: 0, refused: 0, unavailable: 0, amount: 0 };
  return {
    add(receipt: Receipt): void {
      recent.push(receipt);
      if (recent.length >= remembered * 2) recent = recent.slice(-remembered);
      const before = totalsOf(receipt.buyer);
      const counted = receipt.repeated ? 0 : 1;
      totals.set(receipt.buyer, {
        ...before,
        requests: before.requests + 1,
        [receipt.result]: before[receipt.result] + counted,
        amount: before.amount + (receipt.result === 'accepted' ? receipt.price * counted : 0),
      });
    },
    /** The newest requests, oldest of them first. */
    recent: (): readonly Receipt[] => recent.slice(-remembered),
    /** Since the start, whether still remembered one by one or not. */
    totals: totalsOf,
  };
}
