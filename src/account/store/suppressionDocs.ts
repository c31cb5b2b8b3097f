/** Suppression lists as they are stored. */
import type { SuppressionScope } from '../rules/plan.js';
import type { Publishable } from './accountDocs.js';

/** A list of people whose leads are refused: everywhere, in a campaign, or by a buyer. */
export interface SuppressionListDoc extends Publishable {
  _id: string;
  org_id: string;
  scope: SuppressionScope;
  /** The organization, the campaign or the buyer. */
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
  /**
   * `${list_id};` and a keyed hash of organization and MD5: found, added and deleted by this alone. Releases before this
   * one stored `${list_id}:${md5}`, which sorts before it.
   */
  _id: string;
}

/** How far the entries of releases before this one have been hashed. */
export interface SuppressionStateDoc {
  _id: 'hashing';
  /** Since when none but processes of this release run `reconcile`, as far as is known. */
  seen_at: Date;
  /** When one of them did so last; absent: it was the first time. */
  ran_at?: Date;
  /** Names the secret that entries are hashed with (`keyId` of the keyring). */
  key_id: string;
  /** No list up to this one, by id, has an entry of before. */
  after?: string;
  /** Since then no list has. */
  done_at?: Date;
}
