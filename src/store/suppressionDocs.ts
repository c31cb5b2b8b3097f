/** Suppression lists as they are stored. */
import type { SuppressionScope } from '../domain/plan.js';
import type { Publishable } from './collections.js';

/** A list of people whose leads are refused: everywhere, in a campaign, or by a buyer. */
export interface SuppressionListDoc extends Publishable {
  _id: string;
  org_id: string;
  scope: SuppressionScope;
  /** The organisation, the campaign or the buyer. */
  target_id: string;
  /** Unique per target. */
  name: string;
  /** Different phones and emails on it, counted as they are added. */
  entries: number;
  created_at: Date;
  uploaded_at: Date;
  /** Who uploaded to it last: the id of a key, or the name of a tool. */
  uploaded_by: string;
  /** The upload or removal that began last, unless it has ended: its entries may not all be counted. */
  upload?: string;
  /** The plans of its target have it. */
  published_at?: Date;
  /** It counts no more; its entries are being deleted. */
  removed_at?: Date;
}

/** One phone or email of a list; nothing else is known of it. */
export interface SuppressionDoc {
  /** `${list_id}:${md5}`: found, added and deleted by this alone. */
  _id: string;
}
