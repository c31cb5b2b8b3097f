/** What may become of a sale after it was made, and in whose name (contract 7.3). */
import type { Micros } from '../../fields/money.js';

/** What a buyer may say of a lead that it has. */
export const BUYER_OUTCOMES = ['pending', 'converted', 'not_qualified'] as const;
export type BuyerOutcome = (typeof BUYER_OUTCOMES)[number];

/** expired: the conversion window of the campaign ended, and the buyer had said nothing. */
export const SALE_OUTCOMES = [...BUYER_OUTCOMES, 'expired'] as const;
export type SaleOutcome = (typeof SALE_OUTCOMES)[number];

/** Who asks for a change. `name` is for people: of a user, the name of its key or its own. */
export interface ChangeAuthor {
  kind: 'buyer' | 'user' | 'system';
  id?: string;
  name?: string;
}

/** At least one of the four is there. What is left out stays as it is. */
export interface OutcomeAsk {
  kind: 'outcome';
  outcome?: BuyerOutcome;
  conversion_revenue?: Micros;
  /** The buyer's own deal value: kept for reports, never part of any sum. */
  lead_value?: Micros;
  note?: string;
}

/** The buyer gives the lead back: the sale brings nothing any more. */
export interface ReturnAsk {
  kind: 'return';
  return_id: string;
  reason: string;
  /** The supplier gets nothing for this sale any more. */
  reverse_cost: boolean;
}

/** The conversion window is over. */
export interface WindowAsk {
  kind: 'window';
}

export type ChangeAsk = OutcomeAsk | ReturnAsk | WindowAsk;

/** The sale as a change left it. Money in micro-units. */
export interface ChangeAnswer {
  lead_id: string;
  /** The lead's status as it is shown. */
  status: string;
  outcome: SaleOutcome | null;
  conversion_revenue: Micros | null;
  lead_value: Micros | null;
  note: string | null;
  updated_at: Date;
}

/** A change that a lead has, and its own document may not know yet. */
export interface AppliedChange {
  id: string;
  seq: number;
  answer: ChangeAnswer;
}
