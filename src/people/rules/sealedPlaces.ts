/** Where the sealed values of people and identity providers belong. */
import type { SealedPlace } from '../../platform/security/sealedValue.js';

/** The secret of a person's authenticator, from before it is confirmed on. */
export const totpPlace = (id: string): SealedPlace => ({
  collection: 'people',
  id,
  field: 'totp',
});

/** What an organization is known by at its identity provider. */
export const clientSecretPlace = (id: string): SealedPlace => ({
  collection: 'oidc_settings',
  id,
  field: 'client_secret',
});

/** Of a sign-in under way. */
export const codeVerifierPlace = (id: string): SealedPlace => ({
  collection: 'oidc_flows',
  id,
  field: 'code_verifier',
});
