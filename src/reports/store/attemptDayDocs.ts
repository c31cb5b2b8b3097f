/** How the attempts of days that are over are stored. */
import type { AttemptSums, CampaignAttempts } from '../rules/attemptSums.js';

/** The attempts of one buyer that were opened on one day of the account's calendar. */
export interface AttemptDayDoc {
  /** `${buyer_id}:${day}` */
  _id: string;
  org_id: string;
  buyer_id: string;
  day: string;
  /** Grows when an attempt of the day changes: what was counted before that is not stored any more. */
  version: number;
  /** The calendar it was counted by. */
  time_zone?: string;
  /** Of all campaigns. Absent: to be counted again. */
  sums?: AttemptSums;
  /** Of each campaign. */
  campaigns?: CampaignAttempts[];
  /** Without sums: when it is counted again. */
  stale_at?: Date;
  /** With sums: when they are next compared with the attempts. */
  recount_at?: Date;
}

/**
 * Days of a buyer that are kept, both included: one of them without a document of its own has no attempts that count. A
 * span that has just begun is empty, and ends a day before it begins.
 */
export interface KeptDays {
  /** By the calendar of this zone. */
  time_zone: string;
  from: string;
  through: string;
}

/** How far a buyer's days are kept. */
export interface AttemptSpanDoc {
  /** The buyer. */
  _id: string;
  org_id: string;
  /** Null: none yet. */
  days: KeptDays | null;
  /** When there is a day to keep; the process that does it moves it on first, so that no other begins. */
  due_at: Date;
}
