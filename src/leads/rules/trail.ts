import type { LeadResale } from './leadResale.js';
import type { SaleOutcome } from './saleChange.js';

/** The possible results of each step of a trail. */
export interface TrailResults {
  received: 'valid';
  /** differs: pinged fields that the lead has with other values, where that is allowed. */
  ping: 'redeemed' | 'differs';
  /** The page suspects a bot. */
  origin: 'suspected';
  filters: 'passed' | 'failed';
  suppression: 'passed' | 'matched';
  duplicates: 'duplicate' | 'routed';
  /** skipped: a buyer is left out, or in a cooldown. turn: whose turn it was among equally good ones. */
  routing: 'skipped' | 'ranked' | 'no_buyer' | 'turn';
  /** lost: a later run has the reservation. */
  caps: 'full' | 'lost';
  /** The buyer's answer; a later run resumes the lead; an operator's command. */
  delivery:
    | ('accepted' | 'rejected' | 'not_taken' | 'unknown')
    | 'resumed'
    | ('retried' | 'held' | 'dropped' | 'resolved');
  closing: 'ACCEPTED' | 'waiting' | 'UNMATCHED' | 'REJECTED' | 'DUPLICATE' | 'EXPIRED';
  /** The change of a sale. updated: only its revenue, value or note. cleared: its outcome was taken back. */
  outcome: SaleOutcome | 'updated' | 'cleared' | 'returned';
}

/** Why a lead ended, or its further sales did, where its closing entry names a reason. */
export type ClosingReason =
  | 'suspected_bot'
  | 'filtered'
  | 'suppressed'
  | 'supplier_capped'
  | 'no_buyer'
  | 'no_more_buyers'
  | 'max_age'
  | 'dropped';

/** One step of a lead's path, with the values that decided it. */
export interface TrailEntry {
  at: Date;
  step:
    | 'received'
    | 'ping'
    | 'origin'
    | 'filters'
    | 'suppression'
    | 'duplicates'
    | 'routing'
    | 'caps'
    | 'delivery'
    | 'closing'
    | 'outcome';
  result: string;
  buyer_id?: string;
  reason?: string;
  detail?: Record<string, unknown>;
}

/** Trail entry: the lead was valid, and this version of its plan decides it; the lead that it was made from. */
export const receivedEntry = (
  planVersion: number,
  at: Date,
  resale?: Pick<LeadResale, 'origin'>,
): TrailEntry => ({
  at,
  step: 'received',
  result: 'valid',
  detail: { plan_version: planVersion, ...(resale ? { resale_of: resale.origin } : {}) },
});
