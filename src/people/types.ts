/** People who sign in, and what they belong to. */
export const ORG_ROLES = ['admin', 'operator', 'analyst', 'viewer'] as const;
export const PARTNER_ROLES = ['admin', 'viewer'] as const;

export type OrgRole = (typeof ORG_ROLES)[number];
export type PartnerRole = (typeof PARTNER_ROLES)[number];
export type AnyRole = OrgRole | PartnerRole;

/** What a membership opens: the organization itself, or one of its partners' portals. */
export type Scope =
  | { kind: 'organization' }
  | { kind: 'buyer'; buyer_id: string }
  | { kind: 'supplier'; supplier_id: string };

export interface Membership {
  /** Begins with `mem_`. */
  id: string;
  org_id: string;
  person_id: string;
  scope: Scope;
  /** Of an organization's scope an `OrgRole`, of a partner's a `PartnerRole`. */
  role: AnyRole;
}

export interface Person {
  /** Begins with `per_`. */
  id: string;
  email: string;
  name: string;
}

/** How a session was begun. One through OIDC acts for that organization alone. */
export type SignInWay = 'password' | 'oidc';

/** Who a live session belongs to, as it was read for this request. */
export interface SignedIn {
  /** Of the session, for lists; not the token. Begins with `ses_`. */
  session_id: string;
  person: Person;
  /** The person signed in or confirmed it within the last 15 minutes; by a provider, as the provider states it. */
  is_fresh: boolean;
  /** When the session began, or was confirmed last. */
  confirmed_at: Date;
  via: SignInWay;
  oidc_org_id?: string;
  /** Memberships that this session no longer gives access to, though it is valid. */
  barred: readonly string[];
}

/** Where a request of sign-in comes from. */
export interface From {
  /** As the HTTP layer knows it. */
  ip: string;
  user_agent?: string;
  /** The cookie value that the browser got at an earlier sign-in. */
  device?: string;
}

/** What the session cookie is called. */
export const SESSION_COOKIE = '__Host-lw';
/** Tells a browser that has signed in before from a stranger's. */
export const DEVICE_COOKIE = '__Host-lw-device';
/** Binds a sign-in under way by a provider to the browser that began it. */
export const OIDC_COOKIE = '__Host-lw-oidc';

/** `code_needed`: the cookie names a sign-in that waits for the second factor; it opens nothing yet. */
export interface SignInResult {
  state: 'signed_in' | 'code_needed';
  /** Whole values of `Set-Cookie`. */
  cookies: readonly string[];
}

/** A session as its owner, or a manager of its owner's membership, sees it. */
export interface SessionInfo {
  id: string;
  created_at: Date;
  seen_at: Date;
  expires_at: Date;
  address: string;
  user_agent: string;
  /** The browser as its owner would name it. */
  device: string;
  via: SignInWay;
  is_current: boolean;
}

/** Who changes members: a person, a key of the organization, or an operator of the installation. */
export interface Inviter {
  kind: 'person' | 'key' | 'operator';
  id?: string;
  name: string;
}

/** A member, or an invited person who has not accepted yet. */
export interface Member {
  /** Of the membership (`mem_…`), or of the invitation (`inv_…`). */
  id: string;
  state: 'active' | 'invited';
  scope: Scope;
  role: AnyRole;
  email: string;
  /** Empty until the invitation is accepted. */
  name: string;
  since: Date;
  /** Of an invitation. */
  expires_at?: Date;
}
