/** The listening server: limits against slow and idle clients, and an orderly end. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import type Koa from 'koa';
import type { Certificate } from './certificate.js';
import { boundConnections } from './connections.js';
import { answerClientError } from './clientError.js';
import { createSecureServer, type SecureServer } from './secureServer.js';
import type { State } from './context.js';

export interface HttpServer {
  url: string;
  port: number;
  /** Serves another certificate from the next connection on; no effect over plain HTTP. */
  useCertificate(certificate: Certificate): void;
  /**
   * Serves for `lingerMs` more, each answer the last of its connection, so that clients and load balancers move on; then
   * stops accepting, lets requests in flight finish for `graceMs`, and closes the rest. Default 0 ms.
   */
  close(graceMs: number, lingerMs?: number): Promise<void>;
}

export interface ListenOptions {
  host: string;
  /** 0 picks a free one. */
  port: number;
  /** Of several processes with one address, this one has the port for itself. */
  isExclusive?: boolean;
  /** How long a client may take to send a whole request; after that, 408. */
  requestTimeoutMs?: number;
  /** Open connections of one client address; absent: as many as of all together. */
  perClient?: number;
  /** It speaks HTTPS, and nothing else. */
  certificate?: Certificate;
}

const CONNECTIONS_MAX = 10_000;
/** Above the 60 s that load balancers keep idle connections: they close first, so no request meets a closing socket. */
const KEEP_ALIVE_MS = 65_000;
/** How long a connection that has just been accepted may take to show that a request had been sent on it. */
const FIRST_BYTE_MS = 100;

/** @throws {Error} naming the address, when it cannot be listened on */
export async function listen(app: Koa<State>, options: ListenOptions): Promise<HttpServer> {
  const { host, port, isExclusive = false, requestTimeoutMs = 10_000, certificate } = options;
  const limits = {
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: requestTimeoutMs,
    requestTimeout: requestTimeoutMs,
    // The application refuses that itself, in JSON.
    requireHostHeader: false,
    connectionsCheckingInterval: Math.min(1_000, requestTimeoutMs),
  };
  const secure = certificate ? createSecureServer(limits, certificate, requestTimeoutMs) : null;
  const server = secure?.server ?? createServer(limits);
  server.maxConnections = CONNECTIONS_MAX;
  if (options.perClient !== undefined) boundConnections(server, options.perClient);
  const open = trackOpen(server);
  const close = prepareClose(server, open, secure);
  const handle = app.callback();
  server.on('request', (req, res) => void handle(req, res));
  // Only 100-continue has a meaning; node would refuse the others without a body.
  server.on('checkExpectation', (req, res) => void server.emit('request', req, res));
  server.on('checkContinue', (req, res) => {
    continueWhenRead(req, res);
    server.emit('request', req, res);
  });
  const answered = trackAnswered(server);
  server.on('clientError', (error, socket) => {
    if (secure?.refused(error, socket)) return;
    // The client would read any answer written while a request waits, or after its answer, as one to that or the next
    // request.
    const isAwaited = [...open].some((res) => res.socket === socket && res.req.complete);
    if (isAwaited || answered.has(socket)) socket.destroy();
    else answerClientError(error, socket);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) =>
      reject(new Error(`Cannot listen on ${host}:${port}: ${cause.message}`, { cause })),
    );
    server.listen({ port, host, exclusive: isExclusive }, resolve);
  });
  const bound = server.address() as AddressInfo;
  return {
    url: urlOf(secure ? 'https' : 'http', bound),
    port: bound.port,
    useCertificate: (next) => secure?.use(next),
    close,
  };
}

/** The answers not written yet. */
function trackOpen(server: Server): ReadonlySet<ServerResponse> {
  const open = new Set<ServerResponse>();
  server.on('request', (_req, res) => {
    open.add(res);
    res.once('close', () => open.delete(res));
  });
  return open;
}

/** The connections whose request was answered before it had arrived completely. */
function trackAnswered(server: Server): { has(socket: Duplex): boolean } {
  const answered = new WeakSet<Duplex>();
  server.on('request', (req, res) => {
    const { socket } = req;
    answered.delete(socket);
    res.once('finish', () => {
      if (req.complete) return;
      answered.add(socket);
      req.once('end', () => answered.delete(socket));
    });
  });
  return answered;
}

/**
 * A client that asks before it sends the body (RFC 9110, 10.1.1) gets 100 Continue when the body is read. An answer
 * without that ends the connection: the next bytes could be the body or another request.
 */
function continueWhenRead(req: IncomingMessage, res: ServerResponse): void {
  const { shouldKeepAlive } = res;
  res.shouldKeepAlive = false;
  req.once('resume', () => {
    if (res.headersSent) return;
    res.shouldKeepAlive = shouldKeepAlive;
    res.writeContinue();
  });
}

/** Must be called before requests are handled. */
function prepareClose(
  server: Server,
  open: ReadonlySet<ServerResponse>,
  secure: SecureServer | null,
): HttpServer['close'] {
  const sockets = new Set<Socket>();
  let closing = false;
  server.on(secure ? 'secureConnection' : 'connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('request', (_req, res) => {
    if (closing) res.setHeader('connection', 'close');
  });
  /** For node a connection that never sent a byte is not idle; what was sent may not have been read yet. */
  const dropUnused = async (): Promise<void> => {
    const isUnused = (socket: Socket): boolean => socket.bytesRead === 0;
    if ([...sockets].some(isUnused)) await delay(FIRST_BYTE_MS);
    for (const socket of sockets) if (isUnused(socket)) socket.destroy();
    secure?.dropUnfinished();
  };
  return async (graceMs, lingerMs = 0) => {
    closing = true;
    for (const res of open) if (!res.headersSent) res.setHeader('connection', 'close');
    if (lingerMs > 0) {
      await delay(lingerMs);
      // The system resets connections that wait to be accepted: after the next look at the network hardly one does.
      await nextTurn();
    }
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    // An answer that was under way at the beginning still says keep-alive.
    for (const res of open)
      res.once('close', () => setImmediate(() => server.closeIdleConnections()));
    await dropUnused();
    const force = setTimeout(() => server.closeAllConnections(), graceMs);
    await closed;
    clearTimeout(force);
  };
}

/** A URL that clients can call: a wildcard becomes the loopback address. */
function urlOf(scheme: string, { address, family, port }: AddressInfo): string {
  if (address === '0.0.0.0' || address === '::') return `${scheme}://127.0.0.1:${port}`;
  return family === 'IPv6' ? `${scheme}://[${address}]:${port}` : `${scheme}://${address}:${port}`;
}
