/** HTTPS: node's server, and the handling of connections that fail before a request. */
import type { Server } from 'node:http';
import { createServer, type ServerOptions } from 'node:https';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { answerClientError } from './clientError.js';
import { SPOKEN_TLS, type Certificate } from './certificate.js';

export interface SecureServer {
  server: Server;
  /** Serves another certificate from the next connection on; open ones keep theirs. */
  use(certificate: Certificate): void;
  /**
   * Answers a client that spoke plain HTTP; true when the connection failed before TLS was negotiated, and is closed.
   */
  refused(error: NodeJS.ErrnoException, socket: Duplex): boolean;
  /** Closes connections that are still negotiating TLS. */
  dropUnfinished(): void;
}

const nameOf = ({ remoteAddress = '', remotePort = 0 }: Socket): string =>
  `${remoteAddress} ${remotePort}`;

/** @param handshakeMs how long a client may take to negotiate TLS */
export function createSecureServer(
  options: ServerOptions,
  certificate: Certificate,
  handshakeMs: number,
): SecureServer {
  const contextOf = ({ cert, key }: Certificate) => ({ cert, key, ...SPOKEN_TLS });
  const server = createServer({
    ...options,
    ...contextOf(certificate),
    handshakeTimeout: handshakeMs,
  });
  /** The raw connections that are still negotiating TLS, by their peer. */
  const unfinished = new Map<string, Socket>();
  server.on('connection', (socket: Socket) => {
    const name = nameOf(socket);
    unfinished.set(name, socket);
    socket.once('close', () => {
      if (unfinished.get(name) === socket) unfinished.delete(name);
    });
  });
  server.on('secureConnection', (socket) => unfinished.delete(nameOf(socket)));
  return {
    server,
    use: (next) => server.setSecureContext(contextOf(next)),
    refused(error, socket) {
      const bare = socket instanceof Socket ? unfinished.get(nameOf(socket)) : undefined;
      if (!bare) return false;
      if (error.code === 'ERR_SSL_HTTP_REQUEST') answerClientError(error, bare);
      else bare.destroy();
      socket.destroy();
      return true;
    },
    dropUnfinished() {
      for (const socket of unfinished.values()) socket.destroy();
    },
  };
}
