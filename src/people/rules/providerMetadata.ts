/** Reads from an identity provider's metadata how Leadwire can use it (OpenID Connect Discovery, section 3). */

/** How Leadwire shows the provider who it is. */
export type AuthMethod =
  'client_secret_post' | 'client_secret_basic' | 'client_secret_jwt' | 'none';

/** The parts of the metadata that decide; a provider may write anything into them. */
export interface ProviderMetadata {
  authorization_endpoint?: unknown;
  token_endpoint?: unknown;
  jwks_uri?: unknown;
  response_types_supported?: unknown;
  token_endpoint_auth_methods_supported?: unknown;
  id_token_signing_alg_values_supported?: unknown;
}

/** In the order in which they are tried where the provider names several: it may allow one client fewer of them. */
const BY_SECRET = ['client_secret_post', 'client_secret_basic', 'client_secret_jwt'] as const;
/** The standard's own when the metadata names none; some providers mean the other. */
const UNNAMED = ['client_secret_basic', 'client_secret_post'] as const;

/** Signatures by a published key: anybody can verify them, and only the provider can make them. */
const PUBLISHED_KEY = /^(?:RS|PS|ES)(?:256|384|512)$|^(?:EdDSA|Ed25519)$/;

const listOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];

/** The ways to try, in order; empty: the provider takes no way that a client secret is enough for. */
export function authMethods(
  { token_endpoint_auth_methods_supported: methods }: ProviderMetadata,
  hasSecret: boolean,
): readonly AuthMethod[] {
  if (!hasSecret) return ['none'];
  const named = listOf(methods);
  return named.length === 0 ? UNNAMED : BY_SECRET.filter((method) => named.includes(method));
}

/**
 * Why this provider cannot sign people in, as a sentence that goes on after "issuer"; null: it can.
 * @param isAllowed whether requests and browsers may be sent to an address
 */
export function metadataFault(
  metadata: ProviderMetadata,
  hasSecret: boolean,
  isAllowed: (url: string) => boolean,
): string | null {
  for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const) {
    const url = metadata[name];
    if (typeof url !== 'string' || !isAllowed(url))
      return `must be of a provider whose metadata gives an https address as ${name}`;
  }
  const responses = listOf(metadata.response_types_supported);
  if (responses.length > 0 && !responses.includes('code'))
    return 'must be of a provider that has the authorization code flow (response type code)';
  const signatures = listOf(metadata.id_token_signing_alg_values_supported);
  if (signatures.length > 0 && !signatures.some((alg) => PUBLISHED_KEY.test(alg)))
    return `must be of a provider that signs ID tokens with a published key, such as RS256; this one names ${signatures.join(', ')}`;
  if (authMethods(metadata, hasSecret).length > 0) return null;
  const named = listOf(metadata.token_endpoint_auth_methods_supported).join(', ');
  return `must be of a provider that takes a client secret (${BY_SECRET.join(', ')}); this one names ${named}`;
}
