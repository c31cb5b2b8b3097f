/** People, their sessions and their memberships: what the HTTP layer, the pages and the actions ask. */
import type { Members } from './members/types.js';
import type { Oidc } from './oidc/types.js';
import type {
  From,
  Membership,
  OrgRole,
  PartnerRole,
  Scope,
  SessionInfo,
  SignedIn,
  SignInResult,
} from './types.js';

export interface People extends SignIns {
  /**
   * The live session of a token, read again each time; null for every other token. Writes that it was seen at most once
   * a minute.
   */
  session(token: string | undefined): Promise<SignedIn | null>;
  /** What this session may act for, ordered by organization and scope. */
  memberships(signedIn: SignedIn): Promise<MembershipView[]>;
  /**
   * @param isOpen in place of the usual check, for a caller that reads what the membership opens anyway
   * @throws {AppError} `not_found` for any id outside this person's open memberships, existing or not;
   * `unauthorized` where the person must sign in again for it
   */
  membership(
    signedIn: SignedIn,
    membershipId: string,
    isOpen?: (membership: Membership) => Promise<boolean>,
  ): Promise<Membership>;
  account: Accounts;
  recovery: Recoveries;
  invites: Invites;
  sessions: Sessions;
  members: Members;
  oidc: Oidc;
}

/** A membership with the names that a person chooses by. */
export interface MembershipView extends Membership {
  organization: string;
  /** The name of the buyer or supplier; empty for the organization itself. */
  party: string;
  /** The role was changed, or access ended for this session: signing in again opens it. */
  needs_sign_in: boolean;
}

interface SignIns {
  /**
   * @throws {AppError} `unauthorized`, the same for an unknown address as for a wrong password; `rate_limited` with
   * `retry_after`, known address or not
   */
  signIn(input: { email: string; password: string }, from: From): Promise<SignInResult>;
  /** Whether the token's sign-in waits for a code. */
  isCodeNeeded(token: string | undefined): Promise<boolean>;
  /**
   * @param code six digits of the authenticator, or a backup code
   * @throws {AppError} `unauthorized` for a wrong or used code, or no sign-in that waits; `rate_limited`
   */
  secondFactor(token: string | undefined, code: string, from: From): Promise<SignInResult>;
  /** Ends the session, or the sign-in that waits. @returns the values of Set-Cookie that clear it */
  signOut(token: string | undefined): Promise<readonly string[]>;
  /**
   * Makes this session fresh for 15 minutes, by the password, or a code where the second factor is on.
   * @throws {AppError} `unauthorized`, `rate_limited`; `forbidden` in a session by OIDC, which signs in again instead
   */
  confirmFresh(
    signedIn: SignedIn,
    proof: { password?: string; code?: string },
    from: From,
  ): Promise<void>;
}

interface AccountView {
  email: string;
  name: string;
  has_password: boolean;
  has_totp: boolean;
  backup_codes_left: number;
}

/** A person's own account. All but `view` and `rename` refuse a session by OIDC with `forbidden`. */
interface Accounts {
  view(signedIn: SignedIn): Promise<AccountView>;
  /** @throws {AppError} `validation_failed` */
  rename(signedIn: SignedIn, name: string): Promise<void>;
  /**
   * Ends every other session; this one gets a new token.
   * @returns values of Set-Cookie
   * @throws {AppError} `validation_failed` with `details`, `unauthorized` for a wrong current password, `rate_limited`
   */
  changePassword(
    signedIn: SignedIn,
    input: { current_password: string; password: string },
    from: From,
  ): Promise<readonly string[]>;
  /** A new secret, which counts once a code of it is confirmed. @throws {AppError} `forbidden` unless fresh */
  beginTotp(signedIn: SignedIn): Promise<{ secret: string; uri: string }>;
  /** @returns backup codes, shown once; every other session ends */
  confirmTotp(signedIn: SignedIn, code: string, from: From): Promise<{ backup_codes: string[] }>;
  /** @throws {AppError} `forbidden` unless fresh; `unauthorized` for a wrong code */
  disableTotp(signedIn: SignedIn, code: string, from: From): Promise<void>;
  /** Replaces all earlier ones. @throws {AppError} `forbidden` unless fresh; `conflict` without a second factor */
  newBackupCodes(signedIn: SignedIn): Promise<{ backup_codes: string[] }>;
}

interface Recoveries {
  /** Whether links of recovery are mailed here; where not, the operator of the installation makes them. */
  readonly isMailed: boolean;
  /** Mails a link when the address is known; its answer and its time say nothing of that. @throws `rate_limited` */
  request(email: string, from: From): Promise<void>;
  /** Whether the link may still be used; changes nothing. */
  read(token: string): Promise<{ email: string } | null>;
  /**
   * Sets a password, once for a link, ends every session and signs in (where the second factor is on, up to its code).
   * @throws {AppError} `not_found` for a link that is used or over; `validation_failed` with `details`
   */
  finish(token: string, password: string, from: From): Promise<SignInResult>;
}

/** What a page of an invitation, or of the first admin's link, shows. */
export interface InviteView {
  kind: 'invite' | 'setup';
  organization: string;
  party: string;
  scope: Scope;
  role: OrgRole | PartnerRole;
  /** Empty for the first admin, who gives one. */
  email: string;
  /**
   * `password`: the one of the address's account, or a new one; the link does not reveal which. `accept`: the signed-in
   * person may accept. `other`: this session cannot accept it.
   */
  needs: 'password' | 'accept' | 'other';
  /** The organization signs its people in by OIDC; the invitation may be accepted that way too. */
  oidc_org_id?: string;
}

interface Invites {
  /** Null for a link that is used, over or none; changes nothing. */
  read(token: string, signedIn: SignedIn | null): Promise<InviteView | null>;
  /**
   * Accepts once for a link, whatever number try at once. Where the address has an account, the password must be that
   * account's; else it makes one.
   * @param input `email` only for the first admin; nothing for a person signed in with the invited address;
   * without `name` a new account is called by its address
   * @returns `membership_id` null: nothing is accepted yet, the account has a second factor that is asked for first
   * @throws {AppError} `not_found` (used or over), `unauthorized` (not the password of the account), `rate_limited`,
   * `forbidden` (signed in as another, or the sender may not invite any more), `conflict` (a member already),
   * `validation_failed` with `details`
   */
  accept(
    token: string,
    input: { email?: string; name?: string; password?: string },
    signedIn: SignedIn | null,
    from: From,
  ): Promise<SignInResult & { membership_id: string | null }>;
}

interface Sessions {
  /** Live ones of this person, newest first. @throws {AppError} `forbidden` by OIDC */
  list(signedIn: SignedIn): Promise<SessionInfo[]>;
  /** Ends one at once, in every process. @throws {AppError} `not_found`; `forbidden` by OIDC */
  revoke(signedIn: SignedIn, sessionId: string): Promise<void>;
  /** Ends all but this one. @returns how many */
  revokeOthers(signedIn: SignedIn): Promise<number>;
}
