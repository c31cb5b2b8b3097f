export interface SpreadsheetDoc {
  /** Google's id. */
  _id: string;
  org_id: string;
  /** When the organization named it last. */
  claimed_at: Date;
}
