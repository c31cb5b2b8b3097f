/** What of a file differs from the account, and the calls that carry it out. */
import type { PlanChange } from '../../src/account/rules/planChanges.js';
import type { ActionName } from '../../src/api/actions/names.js';
import type { Terms } from './model.js';

/** The links of a campaign are records of their own. */
export type Kind =
  'buyer' | 'supplier' | 'campaign' | 'campaign_buyer' | 'campaign_supplier' | 'funnel';

/** A record that differs. */
export interface Difference {
  kind: Kind;
  name: string;
  /** Of a link: its campaign. */
  campaign?: string;
  isNew: boolean;
  /** Every setting that differs, as a person reads it. */
  changes: PlanChange[];
  /** As the file has them, for those that differ. */
  written: Terms;
  /** The same in normal form. */
  wanted: Terms;
  /** What there is; empty for a new record. */
  before: Terms;
}

export interface LeftOut {
  kind: Kind;
  name: string;
  campaign?: string;
}

export interface ChangeSet {
  /** In the order of their names, whatever the order of the file. */
  differences: Difference[];
  /** Records that the file does not name; they stay as they are. */
  leftOut: LeftOut[];
}

/** One call. Ids are filled in when it is made: the records may not be there yet. */
export interface Step {
  action: ActionName;
  input: Terms;
  /** Names of the records whose ids it takes. */
  campaign?: string;
  buyer?: string;
  supplier?: string;
  funnel?: string;
  /** What it does, for people. */
  title: string;
}
