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
}

export interface Oidc {
  /** Null: the organization has none. The secret is never shown. */
  settings(orgId: string): Promise<OidcSettings | null>;
  /** @param settings null removes it, and ends its sessions. @throws {AppError} `validation_failed` with `details` */
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
   * @param use `invite`: the token of an invitation to accept; `link`: the signed-in person to link to the provider
   * @throws {AppError} `not_found` where the organization has no such sign-in; `unavailable` when its provider does not answer
   */
  start(
    orgId: string,
    use: { invite?: string; link?: SignedIn | null; return_to?: string },
    from: From,
  ): Promise<OidcStart>;
  /**
   * @param query of the callback, as it came
   * @param binding the cookie that `start` set
   * @throws {AppError} `unauthorized` for a state that is unknown, used or over, or a subject linked to no person
   */
  finish(query: URLSearchParams, binding: string | undefined, from: From): Promise<OidcFinish>;
}

/** Binds a sign-in under way to the browser that began it. */
export const OIDC_COOKIE = '__Host-lw-oidc';
