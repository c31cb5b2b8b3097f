/** People, what they belong to, and their sessions, as they are stored. */
import type { SealedValue } from '../../platform/security/sealedValue.js';
import type { OrgRole, PartnerRole, Scope, SignInWay } from '../types.js';

export interface PersonDoc {
  /** Begins with `per_`. */
  _id: string;
  /** Normalized; one person has it. */
  email: string;
  name: string;
  created_at: Date;
  /** Sessions of an earlier epoch have ended: it rises with each new password and second factor. */
  epoch: number;
  /** How often it joined an organization or a portal; absent: never since this is counted. */
  joins?: number;
  /** When a link mailed to the address was used: its user reads that mail. */
  proved_at?: Date;
  /** argon2id; absent: signs in by OIDC alone. */
  password_hash?: string;
  totp?: TotpDoc;
  /** A second factor that no code has confirmed yet. */
  totp_begun?: SealedValue;
  /** Hashes of devices and addresses that signed in before, the latest last. */
  known?: string[];
}

export interface TotpDoc {
  secret: SealedValue;
  /** Of the last code that was taken: only later ones count. */
  last_step: number;
  /** Hashes of the backup codes that are left. */
  backup_codes: string[];
}

export interface MembershipDoc {
  /** Begins with `mem_`. */
  _id: string;
  org_id: string;
  person_id: string;
  scope: Scope;
  /** The scope as one text, for unique keys: `organization`, `buyer:…`, `supplier:…`. */
  scope_key: string;
  role: OrgRole | PartnerRole;
  created_at: Date;
  /** Sessions that were not confirmed since then give no access to it: the role was changed. */
  access_from?: Date;
}

/** Written by each change that takes an admin away, so that two at once conflict. */
export interface TeamDoc {
  /** The organization's id. */
  _id: string;
  changes: number;
}

/** A session, or a sign-in that waits for its second factor. */
export interface SessionDoc {
  /** SHA-256 of the token, hex. */
  _id: string;
  /** What lists call it; begins with `ses_`. */
  id: string;
  person_id: string;
  /** The person's when it began. */
  epoch: number;
  /** It waits for the second factor, and opens nothing. */
  is_waiting?: true;
  via: SignInWay;
  oidc_org_id?: string;
  created_at: Date;
  seen_at: Date;
  fresh_at: Date;
  /** When it was idle too long or is too old, whichever comes first. */
  expires_at: Date;
  /** As `addressGroup` returns it. */
  address: string;
  user_agent: string;
  /** Memberships that it no longer gives access to. */
  barred: string[];
}
