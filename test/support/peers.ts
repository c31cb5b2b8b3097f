/** Real local servers that misbehave on purpose. */
import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

export interface Peer {
  url: string;
  port: number;
  /** Connections accepted. */
  connections: number;
  /** Everything read, over all connections. */
  received: string;
  close(): Promise<void>;
}

/** Listens on a free loopback port; `onData` runs for each chunk read, `onConnect` before the first. */
export async function startPeer(behaviour: {
  onConnect?: (socket: Socket) => void;
  onData?: (socket: Socket, chunk: string) => void;
}): Promise<Peer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    peer.connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      peer.received += chunk.toString();
      behaviour.onData?.(socket, chunk.toString());
    });
    behaviour.onConnect?.(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const peer: Peer = {
    url: `http://127.0.0.1:${port}`,
    port,
    connections: 0,
    received: '',
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return peer;
}

/** A complete HTTP/1.1 answer. */
export function answer(status: string, body = '', headers: Record<string, string> = {}): string {
  const lines = Object.entries({ 'Content-Length': String(body.length), ...headers });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `HTTP/1.1 ${status}\r\n${head}\r\n${body}`;
}
