/** AES-256-GCM, with the id of the key it was sealed under. */
export interface SealedValue {
  /** 1: bound to its place. Absent: an earlier release sealed it, and it opens anywhere. */
  v?: 1;
  key_id: string;
  iv: string;
  tag: string;
  data: string;
}

/**
 * What a value belongs to: it opens in this field of this record alone, so that someone who can write to the database cannot
 * have another record's secret used, or shown, as its own. Copies of the value, as in plans, name the record they are of.
 */
export interface SealedPlace {
  collection: string;
  id: string;
  field: string;
}
