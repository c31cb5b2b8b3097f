/** Requests to an organization's identity provider, through the guarded client: no private addresses unless allowed. */
import { clientSecretPlace } from '../rules/sealedPlaces.js';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  ClientSecretBasic,
  ClientSecretJwt,
  ClientSecretPost,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  None,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
  type AuthorizationCodeGrantChecks,
  type ClientAuth,
  type Configuration,
  type CustomFetch,
} from 'openid-client';
import { unavailable } from '../../lib/errors.js';
import { lruMap } from '../../lib/lruMap.js';
import { checkOutboundUrl, type OutboundHttp } from '../../platform/outbound/http.js';
import type { PeopleDeps } from '../deps.js';
import { invalidField } from '../rules/faults.js';
import { authMethods, metadataFault, type AuthMethod } from '../rules/providerMetadata.js';
import type { OidcSettingsDoc } from '../store/oidcDocs.js';

/** How long a provider's discovered configuration is reused. */
const KEPT_MS = 10 * 60_000;
const KNOWN_MAX = 200;
const TIMEOUT_MS = 8_000;

type Settings = Pick<OidcSettingsDoc, '_id' | 'issuer' | 'client_id' | 'client_secret'>;

/** A provider that has answered, and which of its ways to authenticate is used. */
interface Known {
  config: Configuration;
  methods: readonly AuthMethod[];
  used: { index: number };
  at: number;
}

export type Providers = ReturnType<typeof createProviders>;

export function createProviders({ outbound, keyring, allowPrivate, clock }: PeopleDeps) {
  const known = lruMap<string, Known>(KNOWN_MAX);

  const discover = async (settings: Settings): Promise<Known> => {
    const { _id: orgId, issuer, client_id, client_secret } = settings;
    const secret = client_secret && keyring.open(client_secret, clientSecretPlace(orgId));
    const used = { index: 0 };
    const authenticate: ClientAuth = (server, ...request) => {
      const method = authMethods(server, secret !== undefined)[used.index];
      if (method === undefined) throw new Error('The provider takes no client secret.');
      // eslint-disable-next-line @typescript-eslint/no-confusing-void-expression -- a promise, of an assertion
      return WAYS[method](secret ?? '')(server, ...request);
    };
    const config = await discovery(new URL(issuer), client_id, undefined, authenticate, {
      [customFetch]: fetchBy(outbound, orgId),
      timeout: TIMEOUT_MS / 1_000,
      // Insecure requests only where the installation allows requests to private networks.
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- marked so as to stand out
      execute: [enableNonRepudiationChecks, ...(allowPrivate ? [allowInsecureRequests] : [])],
    });
    const methods = authMethods(config.serverMetadata(), secret !== undefined);
    return { config, methods, used, at: clock.monotonic() };
  };

  const openKnown = async (settings: OidcSettingsDoc): Promise<Known> => {
    const key = JSON.stringify([settings._id, settings.updated_at]);
    const earlier = known.get(key);
    if (earlier && clock.monotonic() - earlier.at < KEPT_MS) return earlier;
    try {
      const found = await discover(settings);
      known.set(key, found);
      return found;
    } catch (cause) {
      throw unavailable("The organization's sign-in does not answer. Try again later.", cause);
    }
  };

  return {
    /** @throws {AppError} `unavailable` when the provider does not answer as one */
    open: async (settings: OidcSettingsDoc): Promise<Configuration> =>
      (await openKnown(settings)).config,
    /** Trades the code in the address of the callback for tokens. @throws when the provider refuses, or they are not right */
    async redeem(
      settings: OidcSettingsDoc,
      callback: URL,
      checks: AuthorizationCodeGrantChecks,
    ): ReturnType<typeof authorizationCodeGrant> {
      const { config, methods, used } = await openKnown(settings);
      for (let tried = 1; ; tried += 1) {
        const { index } = used;
        try {
          return await authorizationCodeGrant(config, callback, checks);
        } catch (error) {
          if (!isOtherWay(error) || tried >= methods.length) throw error;
          // Another sign-in may have switched to the next method already. The code is still valid: it authenticated no person.
          if (used.index === index) used.index = (index + 1) % methods.length;
        }
      }
    },
    /** Reads the provider's metadata again. @throws {AppError} `validation_failed` on `issuer` when it cannot be used */
    async check(settings: Settings): Promise<void> {
      const found = await discover(settings).catch(() => {
        throw notUsable(
          'must be the address of an OpenID Connect provider that answers with its metadata, and names itself by it',
        );
      });
      const isAllowed = (url: string): boolean =>
        (allowPrivate || url.startsWith('https://')) &&
        checkOutboundUrl(url, { allowPrivate }) === null;
      const hasSecret = settings.client_secret !== undefined;
      const fault = metadataFault(found.config.serverMetadata(), hasSecret, isAllowed);
      if (fault !== null) throw notUsable(fault);
    },
  };
}

const WAYS: Record<AuthMethod, (secret: string) => ClientAuth> = {
  client_secret_post: ClientSecretPost,
  client_secret_basic: ClientSecretBasic,
  client_secret_jwt: ClientSecretJwt,
  none: None,
};

/** RFC 6749, section 5.2: the client was not authenticated, so perhaps it is by another way. */
const isOtherWay = (error: unknown): boolean =>
  (error instanceof ResponseBodyError && error.error === 'invalid_client') ||
  (error instanceof WWWAuthenticateChallengeError && error.status === 401);

const notUsable = (fault: string) =>
  invalidField(
    'issuer',
    'not_allowed',
    `issuer ${fault}. Correct it, or save it with is_enabled false for now.`,
  );

/** The library's requests, sent as every other one of ours is. */
const fetchBy =
  (outbound: OutboundHttp, orgId: string): CustomFetch =>
  async (url, { method, headers, body }) => {
    // The library would name itself: the door names this service.
    const own = Object.entries(headers).filter(([name]) => name !== 'user-agent');
    const reply = await outbound.send({
      url,
      orgId,
      method: method === 'GET' ? 'GET' : 'POST',
      headers: Object.fromEntries(own),
      body: textOf(body),
      timeoutMs: TIMEOUT_MS,
    });
    if (reply.kind !== 'answered') throw new Error(`The provider was not asked: ${reply.reason}`);
    if (reply.undecoded !== undefined)
      throw new Error(`The provider answered, and ${reply.undecoded}`);
    const isEmpty = reply.status === 204 || reply.status === 304;
    return new Response(isEmpty ? null : reply.body, {
      status: reply.status,
      headers: reply.headers,
    });
  };

function textOf(body: Parameters<CustomFetch>[1]['body']): string {
  if (body === undefined || body === null) return '';
  if (typeof body === 'string') return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new Error('Only texts and forms are sent to a provider.');
}
