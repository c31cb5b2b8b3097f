/** Documents that identify requests. */

export interface IdempotencyDoc {
  /** `${supplier_id}:${sha256(key)}` */
  _id: string;
  body_hash: string;
  lead_id: string;
  expires_at: Date;
}

export interface ClaimDoc {
  /** Campaign, field and a keyed hash of the value. */
  _id: string;
  lead_id: string;
  at: Date;
  /** Past every window it was made for: deleted then. */
  expires_at: Date;
}

export interface AnsweredDoc {
  _id: string;
  lead_ids: string[];
  /** Not before the last of them was answered. */
  at: Date;
}

/** A row of an import of leads: it is claimed before its lead is posted, and then has the lead. */
export interface ImportedRowDoc {
  /** The organization, and what identifies the row: import and line, or supplier, campaign and the value of a column. */
  _id: string;
  org_id: string;
  /** Tells a row that was changed since from one that is repeated. */
  body_hash: string;
  begun_at: Date;
  /** Calls that have met it: only while it is 1 may the call that made it delete it. Absent: not known. */
  calls?: number;
  /** Once its lead has an answer: the lead, and the answer. */
  lead_id?: string;
  result?: 'accepted' | 'unmatched' | 'duplicate' | 'rejected';
  message?: string;
  /** Deleted after this. */
  forget_at: Date;
}
