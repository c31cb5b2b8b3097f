/** Differences between a file and the account, and the calls that apply them. */
import type { PlanChange } from '../../src/account/rules/planChanges.js';
import type { ActionName } from '../../src/api/actions/names.js';
import type { Terms } from './model.js';

/** The links of a campaign are records of their own. */
export type Kind =
  | ('buyer' | 'supplier' | 'campaign' | 'campaign_buyer' | 'campaign_supplier')
  | ('funnel' | 'automation');

/** A record that differs. */
export interface Difference {
  kind: Kind;
  name: string;
  /** For a link: its campaign. */
  campaign?: string;
  isNew: boolean;
  /** Every setting that differs, as a person reads it. */
  changes: PlanChange[];
  /** The differing settings as the file has them. */
  written: Terms;
  /** The same in normal form. */
  wanted: Terms;
  /** The existing settings; empty for a new record. */
  before: Terms;
}

export interface LeftOut {
  kind: Kind;
  name: string;
  campaign?: string;
}

export interface ChangeSet {
  /** By name, in any order of the file. */
  differences: Difference[];
  /** Records that the file does not name; they stay as they are. */
  leftOut: LeftOut[];
}

/** One call. Ids are filled in when it is made: the records may not exist before. */
export interface Step {
  action: ActionName;
  input: Terms;
  /** Names of the records whose ids it needs. */
  campaign?: string;
  buyer?: string;
  supplier?: string;
  funnel?: string;
  automation?: string;
  /** Names of campaigns whose ids its input needs: of the campaign itself, and of the one that its target is. */
  named?: { campaign?: string; target?: string };
  /** What it does, for people. */
  title: string;
}
