/** How returns are stored. */
import type { Micros } from '../../fields/money.js';
import type { ReturnReason, ReturnState } from '../rules/returnRules.js';
import type { ChangeAuthor } from '../../leads/rules/saleChange.js';

/** One request of a buyer to return a lead. */
export interface ReturnDoc {
  /** `${lead_id}:${buyer_id}:${n}`, n from 1: the next one only after the previous one was rejected. */
  _id: string;
  org_id: string;
  lead_id: string;
  buyer_id: string;
  campaign_id: string;
  reason: ReturnReason;
  note: string | null;
  state: ReturnState;
  /** Counted in this month, `2026-11`, in which the lead arrived; absent: a test lead, which is not. */
  month?: string;
  /** The day in the account's time zone on which the lead arrived. */
  lead_day: string;
  created_at: Date;
  requested_by: ChangeAuthor;
  /** Accepted automatically then, if it is undecided. */
  auto_accept_at?: Date;
  resolved_at?: Date;
  resolved_by?: ChangeAuthor;
  resolution_note?: string | null;
  /** For an accepted one: its buyer's setting at that time. */
  reverse_cost?: boolean;
  resell?: boolean;
  /** Accepted, and the sale not changed yet, or the lead not sold again: `reconcile` finishes it. */
  owed?: true;
  /** Its lead was still being sold: it is not sold again before then. */
  retry_at?: Date;
  /** For a finished one: the change of the sale, and the revenue that it reversed. */
  change_id?: string;
  reversed?: Micros;
  resale_lead_id?: string;
  /** Why it was not sold again, in words. */
  resale_refused?: string;
}

/** How many leads of a month a buyer has returned, including open requests. */
export interface ReturnCountDoc {
  /** `${buyer_id}:${month}` */
  _id: string;
  count: number;
}
