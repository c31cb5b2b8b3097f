/** Documents of the attempts of past days. */
import type { AttemptSums, CampaignAttempts } from '../rules/attemptSums.js';

/** The attempts of one buyer that were opened on one day in the account's time zone. */
export interface AttemptDayDoc {
  /** `${buyer_id}:${day}` */
  _id: string;
  org_id: string;
  buyer_id: string;
  day: string;
  /** Grows when an attempt of the day changes: sums counted before that are not stored. */
  version: number;
  /** The time zone in which it was counted. */
  time_zone?: string;
  /** For all campaigns. Absent: to be counted again. */
  sums?: AttemptSums;
  /** For each campaign. */
  campaigns?: CampaignAttempts[];
  /** Without sums: when it is counted again. */
  stale_at?: Date;
  /** With sums: when they are next compared with the attempts. */
  recount_at?: Date;
}

/**
 * Days of a buyer that are stored, both included: one of them without a document has no attempts that count.
 * A span that has just begun is empty, and ends a day before it begins.
 */
export interface KeptDays {
  /** The time zone of the days. */
  time_zone: string;
  from: string;
  through: string;
}

/** Which days of a buyer are stored. */
export interface AttemptSpanDoc {
  /** Id of the buyer. */
  _id: string;
  org_id: string;
  /** Null: none yet. */
  days: KeptDays | null;
  /** When there is a day to store; the process that does it postpones this first, so that no other begins. */
  due_at: Date;
}
