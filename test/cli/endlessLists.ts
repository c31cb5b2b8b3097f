/** A server whose lists have no end. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface EndlessLists {
  /** What the program needs to call it. */
  environment: Record<string, string>;
  stop(): Promise<void>;
}

export async function endlessLists(): Promise<EndlessLists> {
  const page = JSON.stringify({ data: [{ id: 'a' }, { id: 'b' }], next_cursor: 'more' });
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(page);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    environment: {
      HOME: '/nowhere',
      LEADWIRE_URL: `http://127.0.0.1:${port}`,
      LEADWIRE_API_KEY: 'k',
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
