/** Change requests of partners, as they are stored. */
import type { BuyerLinkTerms } from '../../account/settings/buyerLinkTerms.js';
import type { Side } from '../settingsSchema.js';

/** Terms that a partner may request, as the link stores them: money in micro-units. The tables of settings list them. */
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
  /** The requested terms: before the request, and as requested. */
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
