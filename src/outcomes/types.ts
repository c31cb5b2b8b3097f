/** The only way to change a sale after it was made. */
import type { ChangeAnswer, ChangeAsk, ChangeAuthor } from '../leads/rules/saleChange.js';

/** A change of the sale of one lead to one buyer. */
export interface SaleChange {
  /**
   * Identifies the change permanently: a repetition is the same change, applied once. From a buyer's idempotency key:
   * `${buyer_id}:${sha256(key)}`; for a return: its id. Absent: each call is a separate change.
   */
  id?: string;
  /** Hash of what the caller sent: the same id with another hash is refused. */
  body_hash: string;
  org_id: string;
  campaign_id: string;
  lead_id: string;
  buyer_id: string;
  by: ChangeAuthor;
  ask: ChangeAsk;
}

export interface ChangeResult {
  answer: ChangeAnswer;
  /** It answers an earlier request for the same change. */
  replayed: boolean;
}

export interface SaleChanges {
  /**
   * Answers when the change is stored and applied, within five seconds of `receivedAt`.
   * @param receivedAt when the request arrived, on the monotonic clock (default now)
   * @throws {AppError} `not_found` (404): the organization has no such lead, or the buyer does not have it.
   * `conflict` (409): the id was used with another body. `unavailable` (503): a definitive refusal, nothing was stored.
   * `outcome_unknown` (504): it is or may be stored, and is then applied; a repetition under the same id asks again
   */
  make(change: SaleChange, receivedAt?: number): Promise<ChangeResult>;
}
