/** What partners ask to have changed. */
import type { BuyerLinkTerms } from '../../account/settings/buyerLinkTerms.js';
import type { Side } from '../settingsSchema.js';

/** Terms that a partner may ask for, as the link keeps them: money in micro-units. The tables say which they are. */
export type AskedTerms = Partial<BuyerLinkTerms>;

export type ChangeState = 'pending' | 'approved' | 'refused' | 'stale' | 'withdrawn';

export interface ChangePerson {
  kind: 'person' | 'key';
  id: string;
  name: string;
}

export interface ChangeRequestDoc {
  /** `chg_…` */
  _id: string;
  org_id: string;
  side: Side;
  party_id: string;
  /** Of the link whose terms they are; null: the status of the partner as a whole. */
  campaign_id: string | null;
  /** The terms asked for, as they were then and as they are to be. */
  before: AskedTerms;
  after: AskedTerms;
  /** The version of the campaign that `before` was read from; 0 without one. */
  base_version: number;
  reason: string | null;
  state: ChangeState;
  created_at: Date;
  requested_by: ChangePerson;
  resolved_at?: Date;
  resolved_by?: ChangePerson;
  note?: string | null;
  /** It is approved, and the terms may not have been changed yet. */
  owed?: true;
}
