/** Changes of a sale after it was made, and their authors (contract 7.3). */
import type { Micros } from '../../fields/money.js';

/** Outcomes that a buyer may report for a lead that it has. */
export const BUYER_OUTCOMES = ['pending', 'converted', 'not_qualified'] as const;
export type BuyerOutcome = (typeof BUYER_OUTCOMES)[number];

/** expired: the conversion window of the campaign ended without a report from the buyer. */
export const SALE_OUTCOMES = [...BUYER_OUTCOMES, 'expired'] as const;
export type SaleOutcome = (typeof SALE_OUTCOMES)[number];

/** The author of a change. `name` is for people: for a user, its name or that of its API key. */
export interface ChangeAuthor {
  kind: 'buyer' | 'user' | 'system';
  id?: string;
  name?: string;
}

/** The parts of what a buyer reports about a sale. */
export const REPORTED_KEYS = ['outcome', 'conversion_revenue', 'lead_value', 'note'] as const;
export type ReportedKey = (typeof REPORTED_KEYS)[number];

/** At least one of the four is present, or cleared. Absent ones stay as they are. */
export interface OutcomeAsk {
  kind: 'outcome';
  outcome?: BuyerOutcome;
  conversion_revenue?: Micros;
  /** The buyer's deal value: stored for reports, never part of any sum. */
  lead_value?: Micros;
  note?: string;
  /** What was reported before and is taken back. */
  clear?: ReportedKey[];
}

/** The buyer returns the lead: the sale has no revenue any longer. */
export interface ReturnAsk {
  kind: 'return';
  return_id: string;
  reason: string;
  /** The supplier receives nothing for this sale any longer. */
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

/** A change that a lead contains, and whose document may not be marked yet. */
export interface AppliedChange {
  id: string;
  seq: number;
  answer: ChangeAnswer;
}
