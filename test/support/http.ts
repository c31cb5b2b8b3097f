/** The real Koa app on a free port with a fake intake, and small clients for it. */
import {
  request,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { AppError } from '../../src/lib/errors.js';
import { createApp } from '../../src/api/http/app.js';
import type { PartnerService } from '../../src/api/partner/service.js';
import type { People } from '../../src/people/people.js';
import type { Pings } from '../../src/pings/types.js';
import type { HttpDeps } from '../../src/api/http/deps.js';
import { listen, type HttpServer, type ListenOptions } from '../../src/api/http/server.js';
import type { IngestAnswer, IngestRequest, Intake } from '../../src/ingest/types.js';
import { createFunnelTokens } from '../../src/funnels/submit/token.js';
import { systemClock } from '../../src/lib/clock.js';
import { createLog } from '../../src/lib/log.js';
import { createGate } from '../../src/platform/security/gate.js';
import { createSecurityLog } from '../../src/platform/security/securityLog.js';
import { apiDescription } from '../../src/api/openapi/description.js';
import type { CallerId } from '../../src/platform/security/witness.js';
import { funnelKeyOf } from '../../src/platform/security/seal.js';
import { createMetrics } from '../../src/platform/metrics.js';

export interface FakeIntake extends Intake {
  requests: IngestRequest[];
  answers: [leadId: string, delivered: boolean][];
}

export const accepted: IngestAnswer = {
  status: 201,
  data: {
    id: 'lead-1',
    status: 'ACCEPTED',
    buyer_id: 'buyer-1',
    campaign_id: 'campaign-1',
    delivery: 'delivered',
  },
  replayed: false,
  leadId: 'lead-1',
};

/** Records requests and written answers; `decide` answers or throws. */
export function fakeIntake(
  decide: (request: IngestRequest) => IngestAnswer | Promise<IngestAnswer> = () => accepted,
): FakeIntake {
  const requests: IngestRequest[] = [];
  const answers: [string, boolean][] = [];
  return {
    requests,
    answers,
    async submit(given) {
      requests.push(given);
      return decide(given);
    },
    check: () => Promise.resolve(),
    answered: (leadId, delivered) => void answers.push([leadId, delivered]),
  };
}

/** Every buyer bids; a lead redeems the ping with `ping_id`. */
export const fakePings = (ping_id = 'token-1'): Pings => ({
  submit: () =>
    Promise.resolve({
      headers: {},
      data: {
        accepted: true,
        ping_id,
        message: '1 buyer bids.',
        expires_at: '2026-01-01T12:30:00.000Z',
        buyers: [{ buyer_id: 'buyer-1', bid_price: 12.5 }],
      },
    }),
  idle: () => Promise.resolve(),
});

/** Accepts every caller: the services behind it check for themselves. */
const knownAs = (actor: CallerId['actor']) => () =>
  Promise.resolve({
    caller: { actor, org_id: 'org-1', id: `${actor}-1` },
    confirm: () => Promise.resolve(),
  });

const noKey = () =>
  Promise.reject(new AppError('unauthorized', 'Send "Authorization: Bearer <ORG_API_KEY>".'));

/** No person is signed in, and none can sign in. */
const nobody = {
  session: () => Promise.resolve(null),
  enter: () => Promise.resolve(null),
} as Partial<People> as People;

const noPortal = () => Promise.reject(new AppError('not_found', 'There is no such portal.'));
const noPortals: PartnerService = { me: noPortal, call: noPortal, file: noPortal, logo: noPortal };

/** No funnel is at any address. */
export const noFunnels: HttpDeps['funnels'] = {
  shown: {
    bySlug: () => Promise.resolve(null),
    atVersion: () => Promise.resolve(null),
    draft: () => Promise.resolve(null),
  },
  tokens: createFunnelTokens({ key: funnelKeyOf('a secret of tests'), clock: systemClock }),
  picture: () => Promise.resolve(null),
  submits: {
    submit: () => Promise.resolve(null),
    challenge: () => Promise.resolve(null),
    counts: { count: () => undefined, countOnce: () => undefined, flush: () => Promise.resolve() },
  },
  site: () => 'https://leads.example',
};

export function startServer(
  deps: Partial<HttpDeps> = {},
  options: Partial<ListenOptions> = {},
  beside: Parameters<typeof createApp>[1] = {},
): Promise<HttpServer> {
  const log = createLog('silent', 'test');
  const metrics = createMetrics();
  const all: HttpDeps = {
    gate: createGate({ failuresPerMinute: 0 }),
    security: createSecurityLog({ log, metrics }),
    callers: { supplier: knownAs('supplier'), buyer: knownAs('buyer') },
    intake: fakeIntake(),
    lookup: () => Promise.reject(new AppError('not_found', 'You have not sent such a lead.')),
    pings: {
      submit: () => Promise.reject(new AppError('unauthorized', 'There are no pings here.')),
      idle: () => Promise.resolve(),
    },
    postbacks: {
      submit: () => Promise.reject(new AppError('unauthorized', 'There are no buyers here.')),
    },
    actions: {
      whoami: noKey,
      catalog: noKey,
      run: noKey,
      file: noKey,
      open: noKey,
      follower: noKey,
    },
    ownFunnelsUrl: null,
    confirmations: { read: () => Promise.resolve(null), confirm: () => Promise.resolve(null) },
    people: nobody,
    partners: noPortals,
    console: { me: noPortal, run: noPortal, file: noPortal, follower: noPortal },
    live: { open: noKey },
    funnels: noFunnels,
    baseUrl: undefined,
    origins: [],
    hasHealthPort: false,
    description: apiDescription({}),
    health: { check: () => Promise.resolve({ ok: true, dependencies: {} }) },
    log,
    metrics,
    trustProxy: false,
    ...deps,
  };
  return listen(createApp(all, beside), { host: '127.0.0.1', port: 0, ...options });
}

export interface HttpReply {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** The body parsed as JSON; null when it is empty or not JSON. */
  json: Record<string, unknown> | null;
}

/** One request on a connection of its own, unless an agent is given. */
export async function send(
  url: string,
  { body, ...options }: RequestOptions & { body?: string | Buffer } = {},
): Promise<HttpReply> {
  const outgoing = request(url, { agent: false, ...options });
  // The connection may break after the answer: the rest of a refused body is not read.
  outgoing.on('error', () => undefined);
  outgoing.end(body);
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  const isJson = incoming.headers['content-type']?.startsWith('application/json') === true;
  return {
    status: incoming.statusCode ?? 0,
    headers: incoming.headers,
    text,
    json: isJson && text !== '' ? (JSON.parse(text) as Record<string, unknown>) : null,
  };
}

/** A bare connection, for bytes that a proper client never sends. */
export async function openSocket(server: HttpServer, bytes = ''): Promise<Socket> {
  const socket = connect(server.port, '127.0.0.1');
  await once(socket, 'connect');
  if (bytes !== '') socket.write(bytes);
  return socket;
}

/** All bytes until the other side ends the connection. */
export async function readToEnd(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

export interface Deferred<T> {
  promise: Promise<T>;
  resolve(value: T): void;
  reject(error: Error): void;
}

/** A promise that the test settles. */
export function defer<T>(): Deferred<T> {
  let settle: Omit<Deferred<T>, 'promise'> | undefined;
  const promise = new Promise<T>((resolve, reject) => (settle = { resolve, reject }));
  return { promise, resolve: (v) => settle?.resolve(v), reject: (e) => settle?.reject(e) };
}
