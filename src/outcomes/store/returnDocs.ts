/** How returns are stored. */
import type { Micros } from '../../fields/money.js';
import type { ReturnReason, ReturnState } from '../rules/returnRules.js';
import type { ChangeAuthor } from '../../leads/rules/saleChange.js';

/** One request of a buyer to give a lead back. */
export interface ReturnDoc {
  /** `${lead_id}:${buyer_id}:${n}`, n from 1: the next one only after the one before was rejected. */
  _id: string;
  org_id: string;
  lead_id: string;
  buyer_id: string;
  campaign_id: string;
  reason: ReturnReason;
  note: string | null;
  state: ReturnState;
  /** Counted in this month, `2026-11`, in which the lead came in; absent: a test lead, which is not. */
  month?: string;
  /** The day in the account's time zone on which the lead came in. */
  lead_day: string;
  created_at: Date;
  requested_by: ChangeAuthor;
  /** Accepted by itself then, if nobody has decided before. */
  auto_accept_at?: Date;
  resolved_at?: Date;
  resolved_by?: ChangeAuthor;
  resolution_note?: string | null;
  /** Of an accepted one: what its buyer's settings said then. */
  reverse_cost?: boolean;
  resell?: boolean;
  /** Accepted, and the sale not changed yet, or the lead not sold again: `reconcile` finishes it. */
  owed?: true;
  /** Of an accepted one that is made: the change of the sale, and the revenue that it took back. */
  change_id?: string;
  reversed?: Micros;
  resale_lead_id?: string;
  /** Why it was not sold again, in words. */
  resale_refused?: string;
}

/** How many leads of a month a buyer has returned, those it has asked to return counted. */
export interface ReturnCountDoc {
  /** `${buyer_id}:${month}` */
  _id: string;
  count: number;
}
