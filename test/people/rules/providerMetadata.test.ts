/** Which identity providers can be used, and how Leadwire authenticates there, by their metadata alone. */
import { describe, expect, it } from '@jest/globals';
import {
  authMethods,
  metadataFault,
  type AuthMethod,
  type ProviderMetadata,
} from '../../../src/people/rules/providerMetadata.js';

const AT = 'https://login.example.com';
const GOOD: ProviderMetadata = {
  authorization_endpoint: `${AT}/authorize`,
  token_endpoint: `${AT}/token`,
  jwks_uri: `${AT}/jwks`,
  response_types_supported: ['code', 'id_token'],
};
const named = (methods: unknown): ProviderMetadata => ({
  ...GOOD,
  token_endpoint_auth_methods_supported: methods,
});
const isAllowed = (url: string) => url.startsWith(AT);

const POST = 'client_secret_post';
const BASIC = 'client_secret_basic';
const JWT = 'client_secret_jwt';

describe('a provider with a client secret', () => {
  it.each<[string, unknown, AuthMethod[]]>([
    ['basic only', [BASIC], [BASIC]],
    ['post only', [POST], [POST]],
    ['a signed assertion only', [JWT], [JWT]],
    ['both, in any order (Okta, Keycloak)', [BASIC, POST], [POST, BASIC]],
    ['all', ['none', 'private_key_jwt', JWT, BASIC, POST], [POST, BASIC, JWT]],
    ['basic and a private key (Ping)', [BASIC, 'private_key_jwt'], [BASIC]],
    ['basic and certificates (a bank)', ['tls_client_auth', BASIC], [BASIC]],
    ['post and none (Entra)', ['none', POST], [POST]],
    ['nothing: the standard has basic', undefined, [BASIC, POST]],
    ['an empty list', [], [BASIC, POST]],
    ['null', null, [BASIC, POST]],
    ['a text in the place of a list', BASIC, [BASIC, POST]],
    ['numbers', [1, 2], [BASIC, POST]],
    ['names that nobody knows, beside basic', ['x', BASIC, 7], [BASIC]],
    ['a private key only', ['private_key_jwt'], []],
    ['certificates only', ['tls_client_auth', 'self_signed_tls_client_auth'], []],
    ['no authentication only', ['none'], []],
    ['other letters than the standard has', ['CLIENT_SECRET_BASIC'], []],
  ])('that names %s is asked in its ways', (_name, methods, ways) => {
    expect(authMethods(named(methods), true)).toEqual(ways);
    expect(metadataFault(named(methods), true, isAllowed) === null).toBe(ways.length > 0);
  });

  it('that takes none is named with what it takes', () => {
    expect(metadataFault(named(['private_key_jwt', 'tls_client_auth']), true, isAllowed)).toBe(
      'must be of a provider that takes a client secret (client_secret_post, client_secret_basic, client_secret_jwt); this one names private_key_jwt, tls_client_auth',
    );
  });
});

describe('a provider', () => {
  it.each([undefined, ['none'], [BASIC]])(
    'without a client secret is sent none, whatever it names: %j',
    (methods) => {
      expect(authMethods(named(methods), false)).toEqual(['none']);
      expect(metadataFault(named(methods), false, isAllowed)).toBeNull();
    },
  );

  it.each<[string, ProviderMetadata, RegExp]>([
    ['no token endpoint', { token_endpoint: undefined }, /as token_endpoint$/],
    ['no keys', { jwks_uri: undefined }, /as jwks_uri$/],
    ['no page', { authorization_endpoint: undefined }, /as authorization_endpoint$/],
    ['an empty address', { token_endpoint: '' }, /as token_endpoint$/],
    ['a number as address', { jwks_uri: 7 }, /as jwks_uri$/],
    ['an address that is not allowed', { token_endpoint: 'http://10.0.0.1/' }, /token_endpoint$/],
    ['a page that is a script', { authorization_endpoint: 'javascript:1' }, /authorization/],
    ['no code flow', { response_types_supported: ['id_token'] }, /response type code/],
    [
      'signatures by the secret only',
      { id_token_signing_alg_values_supported: ['HS256'] },
      /this one names HS256$/,
    ],
    ['no signatures', { id_token_signing_alg_values_supported: ['none'] }, /names none$/],
  ])('with %s cannot be used', (_name, part, fault) => {
    expect(metadataFault({ ...GOOD, ...part }, true, isAllowed)).toMatch(fault);
  });

  it.each([['RS256'], ['HS256', 'ES256'], ['PS384'], ['EdDSA'], ['Ed25519'], [], undefined])(
    'that signs by %j and more can be used',
    (...algorithms) => {
      const part = { id_token_signing_alg_values_supported: algorithms };
      expect(metadataFault({ ...GOOD, ...part }, true, isAllowed)).toBeNull();
    },
  );
});
