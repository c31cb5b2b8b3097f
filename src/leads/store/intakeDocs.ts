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
