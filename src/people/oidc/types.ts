/** Sign-in by an organization's own identity provider (OpenID Connect). */
import type { From, SignedIn, SignInResult } from '../types.js';

export interface OidcSettings {
  issuer: string;
  client_id: string;
  is_enabled: boolean;
}

export interface OidcStart {
  /** Where to send the browser. */
  url: string;
  /** Values of Set-Cookie: the state is bound to this browser. */
  cookies: readonly string[];
}

export interface OidcFinish extends SignInResult {
  /** The page of this site that the sign-in was begun for. */
  return_to: string;
  /** The provider was connected to an account, and nobody signed in. */
  is_link: boolean;
}

/** A provider's account by which a person can sign in, too. */
export interface Identity {
  id: string;
  org_id: string;
  /** The name of the organization. */
  organization: string;
  issuer: string;
  created_at: Date;
}

/** What is connected to a person's own account. Both refuse a session by a provider with `forbidden`. */
export interface Identities {
  /** Oldest first. */
  list(signedIn: SignedIn): Promise<Identity[]>;
  /**
   * It signs nobody in any more, and the sessions of this person by that organization's provider end.
   * @throws {AppError} `forbidden` unless fresh; `not_found`
   */
  disconnect(signedIn: SignedIn, id: string): Promise<void>;
}

export interface Oidc {
  identities: Identities;
  /** Null: the organization has none. The secret is never shown. */
  settings(orgId: string): Promise<OidcSettings | null>;
  /**
   * @param settings null removes it, and ends its sessions
   * @throws {AppError} `validation_failed` with `details`, for a provider that cannot be used too, unless it is not enabled;
   * `conflict` when another change came between
   */
  configure(
    orgId: string,
    settings: {
      issuer: string;
      client_id: string;
      client_secret?: string;
      is_enabled: boolean;
    } | null,
  ): Promise<OidcSettings | null>;
  /**
   * @param use `invite`: the token of an invitation to accept; `link`: the signed-in person to link to the provider;
   * `confirms`: the person signs in there once more, even if the provider knows the browser
   * @throws {AppError} `not_found` where the organization has no such sign-in; `unavailable` when its provider does not
   * answer; `forbidden` for a link in a session that is not fresh
   */
  start(
    orgId: string,
    use: { invite?: string; link?: SignedIn | null; confirms?: boolean; return_to?: string },
    from: From,
  ): Promise<OidcStart>;
  /**
   * @param query of the callback, as it came
   * @param binding the cookie that `start` set
   * @throws {AppError} `unauthorized` for a state that is unknown, used or over, a subject linked to no person, or a link
   * whose session has ended
   */
  finish(query: URLSearchParams, binding: string | undefined, from: From): Promise<OidcFinish>;
}

/** Binds a sign-in under way to the browser that began it. */
export const OIDC_COOKIE = '__Host-lw-oidc';
