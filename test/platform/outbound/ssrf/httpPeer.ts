/** A well-behaved HTTP server that separates requests as any server does. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HttpPeer {
  port: number;
  /** `METHOD target` of each request read, in order. */
  requests: string[];
  /** Connections accepted. */
  connections(): number;
  close(): Promise<void>;
}

export async function startHttpPeer(): Promise<HttpPeer> {
  const requests: string[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    requests.push(`${request.method ?? ''} ${request.url ?? ''}`);
    request.resume().once('end', () => response.end('outside'));
  });
  server.on('connection', () => {
    connections += 1;
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    connections: () => connections,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
