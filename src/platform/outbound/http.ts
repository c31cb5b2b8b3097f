/** The one door for outbound HTTP: deliveries, buyers' pings, events, identity providers, Google Sheets. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { performance } from 'node:perf_hooks';
import { Agent } from 'undici';
import type { NoReply, TransportReply } from './reply.js';
import type { TlsTrouble } from './tlsTrouble.js';
import { readVersion } from '../../lib/version.js';
import { Exchange } from './exchange.js';
import { createGuardedConnector } from './guardedConnector.js';
import { createNames, type ResolveName } from './names/names.js';
import { readOutboundUrl } from './publicAddress.js';

export { checkOutboundUrl } from './publicAddress.js';

export interface OutboundRequest {
  url: string;
  /** The organization that owns the URL: its lookups at once are limited. Absent: the installation itself. */
  orgId?: string;
  /** Default POST. */
  method?: 'POST' | 'GET';
  /** In addition to those of every request, which they replace (see {@link withCommonHeaders}). */
  headers: Record<string, string>;
  body: string;
  /** Total time, from the call to the last byte of the answer. */
  timeoutMs: number;
  /** On the clock of performance.now(): the request is not written to the socket after this. */
  sendBy?: number;
}

export interface OutboundOptions {
  /** Lets requests go to private and loopback addresses. */
  allowPrivate: boolean;
  /** Open sockets per scheme, host and port; further requests wait their turn. Default 128. */
  connectionsPerOrigin?: number;
  /** An answer's body is cut there, in bytes. Default 256 KiB. */
  maxResponseBytes?: number;
  /** Name lookup, TCP and TLS together; checked about twice a second. Default 5,000. */
  connectTimeoutMs?: number;
  /** Called for each request that was not sent because the server's TLS is too weak or too old. */
  onTlsTrouble?: (trouble: TlsTrouble) => void;
  /** How a name becomes addresses. Default {@link createNames}. */
  resolve?: ResolveName;
}

/** Idle sockets are closed before common servers close theirs (5 s), so that a reused one is alive. */
const KEEP_ALIVE_MS = 4_000;
const HEADER_MAX_BYTES = 16 * 1024;

export type OutboundHttp = ReturnType<typeof createOutboundHttp>;

export function createOutboundHttp(options: OutboundOptions) {
  const maxResponseBytes = options.maxResponseBytes ?? 256 * 1024;
  // The agent opens sockets by itself, and gives its connector the target, not the organization.
  const asker = new AsyncLocalStorage<string>();
  const agent = new Agent({
    connections: options.connectionsPerOrigin ?? 128,
    connect: createGuardedConnector({
      allowPrivate: options.allowPrivate,
      connectTimeoutMs: options.connectTimeoutMs ?? 5_000,
      resolve: options.resolve ?? createNames().resolve,
      asker: () => asker.getStore() ?? '',
    }),
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: HEADER_MAX_BYTES,
    // The total deadline rules; timers between bytes would stop no peer that drips.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

  return {
    /**
     * Sends one request and never rejects. Redirects are answers like any other.
     * - `answered`: a status came. Its body is unpacked and decoded; one over the limit, packed or unpacked, is cut, and
     *   its connection closed.
     * - `not_sent`: not a byte of the request was written (refused or unresolved address, no connection,
     *   TLS failure, deadline or `sendBy` passed while it waited, invalid headers).
     * - `no_answer`: it was, or may have been, written, and no complete answer came in time.
     */
    send: (request: OutboundRequest): Promise<TransportReply> => {
      const target = readOutboundUrl(request.url, options);
      if ('refused' in target) return Promise.resolve(notSent(`the URL ${target.refused}`));
      const now = performance.now();
      const deadline = now + request.timeoutMs;
      const writeBy = Math.min(deadline, request.sendBy ?? deadline);
      if (writeBy <= now)
        return Promise.resolve({ ...notSent('its time to be sent had passed'), late: true });
      return new Promise((resolve) => {
        const done = (reply: TransportReply): void => {
          if (reply.kind !== 'answered' && reply.tls) options.onTlsTrouble?.(reply.tls);
          resolve(reply);
        };
        const exchange = new Exchange({ writeBy, deadline, maxResponseBytes }, done);
        const dispatch = (): unknown =>
          agent.dispatch(
            {
              origin: target.origin,
              path: target.path,
              method: request.method ?? 'POST',
              headers: withCommonHeaders(request.headers),
              body: request.body,
            },
            exchange,
          );
        asker.run(request.orgId ?? '', dispatch);
      });
    },
    /** Accepts no more requests and waits for those in flight, each bound by its deadline. */
    close: (): Promise<void> => agent.close(),
  };
}

/**
 * Firewalls refuse requests without a User-Agent. Any type is accepted, which is what a request without Accept says, so
 * that no receiver changes the form of its answers. `identity` asks for plain answers.
 */
const COMMON_HEADERS = {
  'user-agent': `Leadwire/${readVersion()}`,
  accept: '*/*',
  'accept-encoding': 'identity',
};

/** The headers of a request, with defaults for those that every request carries. */
function withCommonHeaders(headers: Record<string, string>): Record<string, string> {
  const named = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const common = Object.entries(COMMON_HEADERS).filter(([name]) => !named.has(name));
  return { ...Object.fromEntries(common), ...headers };
}

const notSent = (reason: string): NoReply => ({ kind: 'not_sent', reason });
