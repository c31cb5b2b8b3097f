/** An organization's identity provider, asked by the project's own door: no private address unless it is allowed. */
import { clientSecretPlace } from '../rules/sealedPlaces.js';
import {
  allowInsecureRequests,
  ClientSecretPost,
  customFetch,
  discovery,
  None,
  type Configuration,
  type CustomFetch,
} from 'openid-client';
import { unavailable } from '../../lib/errors.js';
import { lruMap } from '../../lib/lruMap.js';
import type { OutboundHttp } from '../../platform/outbound/http.js';
import type { PeopleDeps } from '../deps.js';
import type { OidcSettingsDoc } from '../store/oidcDocs.js';

/** How long a provider's discovered configuration is reused. */
const KEPT_MS = 10 * 60_000;
const KNOWN_MAX = 200;
const TIMEOUT_MS = 8_000;

export interface Providers {
  /** @throws {AppError} `unavailable` when the provider does not answer as one */
  open(settings: OidcSettingsDoc): Promise<Configuration>;
}

export function createProviders({ outbound, keyring, allowPrivate, clock }: PeopleDeps): Providers {
  const known = lruMap<string, { config: Configuration; at: number }>(KNOWN_MAX);
  return {
    async open(settings) {
      const { _id: orgId, issuer, client_id, client_secret } = settings;
      const key = JSON.stringify([orgId, settings.updated_at]);
      const earlier = known.get(key);
      if (earlier && clock.monotonic() - earlier.at < KEPT_MS) return earlier.config;
      try {
        const config = await discovery(
          new URL(issuer),
          client_id,
          undefined,
          client_secret
            ? ClientSecretPost(keyring.open(client_secret, clientSecretPlace(orgId)))
            : None(),
          {
            [customFetch]: fetchBy(outbound, orgId),
            timeout: TIMEOUT_MS / 1_000,
            // Only where the installation lets requests go to its own network.
            // eslint-disable-next-line @typescript-eslint/no-deprecated -- marked so as to stand out
            execute: allowPrivate ? [allowInsecureRequests] : [],
          },
        );
        known.set(key, { config, at: clock.monotonic() });
        return config;
      } catch (cause) {
        throw unavailable("The organization's sign-in does not answer. Try again later.", cause);
      }
    },
  };
}

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
