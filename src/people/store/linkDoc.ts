import type { Inviter, OrgRole, PartnerRole, Scope } from '../types.js';

interface LinkBase {
  /** SHA-256 of the token, hex. */
  _id: string;
  created_at: Date;
  expires_at: Date;
  /** Absent: it can still be used. */
  used_at?: Date;
}

export interface InviteDoc extends LinkBase {
  kind: 'invite';
  /** What lists call it; begins with `inv_`. */
  id: string;
  org_id: string;
  scope: Scope;
  scope_key: string;
  role: OrgRole | PartnerRole;
  email: string;
  by: Inviter;
  /** It went to the address by mail and was shown nowhere else: its bearer reads the mail of that address. */
  is_mailed: boolean;
}

export interface RecoveryDoc extends LinkBase {
  kind: 'recovery';
  person_id: string;
  /** As of an invitation; one that was printed on the server's own host is false. */
  is_mailed: boolean;
  /** The operator of the installation confirmed that the person has lost it. */
  drops_second_factor?: true;
  /** It was shown to an admin of this organization: only for a person who belongs to no other. */
  only_org?: string;
  /** The operator confirmed that the address belongs to another person than the account. */
  gives_to_owner?: true;
}

export interface SetupDoc extends LinkBase {
  kind: 'setup';
  org_id: string;
}

/** Signs a member in, without a password: made on the server's own host alone. */
export interface ConsoleDoc extends LinkBase {
  kind: 'console';
  org_id: string;
  person_id: string;
  /** The person's when it was made: a new password or second factor ends it. */
  epoch: number;
}

/** A link that can be used once. */
export type LinkDoc = InviteDoc | RecoveryDoc | SetupDoc | ConsoleDoc;
