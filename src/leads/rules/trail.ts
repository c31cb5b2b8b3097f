import type { SaleOutcome } from './saleChange.js';

/** What can come of each step of a trail. */
export interface TrailResults {
  received: 'valid';
  /** differs: pinged fields that the lead has otherwise, where that is allowed. */
  ping: 'redeemed' | 'differs';
  /** The page that it came from suspects a bot. */
  origin: 'suspected';
  filters: 'passed' | 'failed';
  suppression: 'passed' | 'matched';
  duplicates: 'duplicate' | 'routed';
  /** skipped: a buyer is left out, or rests. turn: whose turn it was among equally good ones. */
  routing: 'skipped' | 'ranked' | 'no_buyer' | 'turn';
  /** lost: a later run has the reservation. */
  caps: 'full' | 'lost';
  /** What the buyer said; a later run takes the lead up; what an operator did. */
  delivery:
    | ('accepted' | 'rejected' | 'not_taken' | 'unknown')
    | 'resumed'
    | ('retried' | 'held' | 'dropped' | 'resolved');
  closing: 'ACCEPTED' | 'waiting' | 'UNMATCHED' | 'REJECTED' | 'DUPLICATE' | 'EXPIRED';
  /** What became of a sale. updated: its revenue, value or note alone. */
  outcome: SaleOutcome | 'updated' | 'returned';
}

/** Why a lead ended, or its further sales did, where its closing entry says so. */
export type ClosingReason =
  | 'suspected_bot'
  | 'filtered'
  | 'suppressed'
  | 'supplier_capped'
  | 'no_buyer'
  | 'no_more_buyers'
  | 'max_age'
  | 'dropped';

/** One step of a lead's way, with the values it was decided on. */
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
