/** Where the sealed values of people and identity providers belong. */
import type { SealedPlace } from '../../platform/security/sealedValue.js';

const placeIn =
  (collection: string, field: string) =>
  (id: string): SealedPlace => ({ collection, id, field });

/** The secret of a person's authenticator, from before it is confirmed on. */
export const totpPlace = placeIn('people', 'totp');

/** What an organization is known by at its identity provider. */
export const clientSecretPlace = placeIn('oidc_settings', 'client_secret');

/** Of a sign-in under way. */
export const codeVerifierPlace = placeIn('oidc_flows', 'code_verifier');
