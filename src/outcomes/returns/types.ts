/** Returning leads, for the interfaces of buyers and operators. */
import type { ReturnReason } from '../rules/returnRules.js';
import type { ChangeAuthor } from '../../leads/rules/saleChange.js';
import type { ReturnDoc } from '../store/returnDocs.js';

export interface ReturnRequest {
  org_id: string;
  lead_id: string;
  /** Needed where several buyers bought the lead. */
  buyer_id?: string;
  reason: ReturnReason;
  note: string | null;
  by: ChangeAuthor;
}

export interface ReturnVerdict {
  org_id: string;
  return_id: string;
  result: 'accept' | 'reject';
  note: string | null;
  by: ChangeAuthor;
}

export interface Returns {
  /**
   * Requests a return; a repetition while it is open is the same request.
   * @throws {AppError} `not_found` for a lead that the buyer does not have, `action_refused` where the buyer's settings
   * or an earlier return forbid it, `unavailable` when nothing was stored
   */
  request(asked: ReturnRequest): Promise<ReturnDoc>;
  /**
   * Accepts or rejects a request; the same verdict again changes nothing. An accepted one is finished here if that is
   * possible now (`owed` is absent then), else by `reconcile`.
   * @throws {AppError} `not_found`; `action_refused` after the other verdict
   */
  resolve(verdict: ReturnVerdict): Promise<ReturnDoc>;
  /** Accepts requests that are due for it, and finishes accepted ones that were left behind. Returns their number. */
  catchUp(): Promise<number>;
}
