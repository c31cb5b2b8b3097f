/** Sign-in by an organization's identity provider, as it is stored. */
import type { SealedValue } from '../../platform/security/sealedValue.js';

export interface OidcSettingsDoc {
  /** Of the organization. */
  _id: string;
  issuer: string;
  client_id: string;
  client_secret?: SealedValue;
  is_enabled: boolean;
  updated_at: Date;
}

/** A sign-in that was sent to a provider and has not come back. */
export interface OidcFlowDoc {
  /** SHA-256 of the state, hex. */
  _id: string;
  org_id: string;
  /** SHA-256 of the browser's cookie. */
  binding: string;
  nonce: string;
  code_verifier: SealedValue;
  /** Hash of an invitation that it accepts. */
  invite?: string;
  /** The person to link to the returned subject. */
  link_person_id?: string;
  /** The session that started the flow: the flow ends with it. */
  link_session_id?: string;
  return_to: string;
  created_at: Date;
  expires_at: Date;
}

/** Which person a provider's subject is, for one organization. Never found by an address. */
export interface IdentityDoc {
  /** Hash of organization, issuer and subject. */
  _id: string;
  org_id: string;
  issuer: string;
  subject: string;
  person_id: string;
  created_at: Date;
}
