/** Suppression lists as they are stored. */
import type { SuppressionScope } from '../rules/plan.js';
import type { Publishable } from './accountDocs.js';

/** A list of people whose leads are refused: everywhere, in a campaign, or by a buyer. */
export interface SuppressionListDoc extends Publishable {
  _id: string;
  org_id: string;
  scope: SuppressionScope;
  /** Id of the organization, the campaign or the buyer. */
  target_id: string;
  /** Unique per target. */
  name: string;
  /** Different phones and emails on it, counted as they are added. */
  entries: number;
  created_at: Date;
  uploaded_at: Date;
  /** The last uploader: the id of a key, or the name of a tool. */
  uploaded_by: string;
  /** The latest upload or removal while it runs: its entries may not all be counted. */
  upload?: string;
  /** When the plans of its target first included it. */
  published_at?: Date;
  /** When it was removed: it no longer applies, and its entries are being deleted. */
  removed_at?: Date;
}

/** One phone or email of a list, stored as a hash alone. */
export interface SuppressionDoc {
  /**
   * `${list_id};` and a keyed hash of organization and MD5: found, added and deleted by this alone. Earlier releases
   * stored `${list_id}:${md5}`, which sorts before it.
   */
  _id: string;
}

/** The import of a file in chunks: how far it has come, and where its entries go. */
export interface SuppressionImportDoc {
  /** `${org_id}:${import_id}` */
  _id: string;
  org_id: string;
  scope: SuppressionScope;
  /** As that of the list. */
  target_id: string;
  name: string;
  /** At its end a new list takes the place of the one of this name; false: entries are added to that list. */
  replaces: boolean;
  /** The list that has the entries; with `replaces` it becomes one at the end of the import. */
  list_id: string;
  /** dropped: given up, and its entries are being deleted. */
  state: 'open' | 'finishing' | 'done' | 'dropped';
  /** Number of the chunk that comes next, from 0: every earlier one is stored. */
  next: number;
  /** Counts of the chunks that are stored. */
  rows: number;
  added: number;
  already_there: number;
  bad: number;
  /** When the new list took the place of the old one. */
  swapped_at?: Date;
  /** Entries of the list when the import ended. */
  entries?: number;
  started_at: Date;
  updated_at: Date;
  /** An import that is done is deleted after this. */
  forget_at?: Date;
}

/**
 * How far the entries of earlier releases have been hashed.
 * @until 0.3
 */
export interface SuppressionStateDoc {
  _id: 'hashing';
  /** Since when only processes of this release run `reconcile`, as far as is known. */
  seen_at: Date;
  /** When one of them last did so; absent: this is the first run. */
  ran_at?: Date;
  /** Names the secret that entries are hashed with (`keyId` of the keyring). */
  key_id: string;
  /** No list up to this id has an entry of an earlier release. */
  after?: string;
  /** Since then no list has one. */
  done_at?: Date;
}
