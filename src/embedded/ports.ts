import { once } from 'node:events';
import { createServer, type Server, type AddressInfo } from 'node:net';

const LOOPBACK = '127.0.0.1';

/** Listens on a loopback port (0: any); null when it is taken. */
async function hold(port: number): Promise<Server | null> {
  const server = createServer();
  server.listen({ port, host: LOOPBACK, exclusive: true });
  try {
    await once(server, 'listening');
    return server;
  } catch {
    return null;
  }
}

/**
 * One port per wish: the wished one when it is free, else (or for the wish 0) any free one. A port
 * may be lost again before the server takes it, so the caller retries.
 */
export async function choosePorts(wishes: readonly number[]): Promise<number[]> {
  const held: Server[] = [];
  try {
    for (const wish of wishes) {
      const server = (await hold(wish)) ?? (await hold(0));
      if (!server) throw new Error(`No free port on ${LOOPBACK}.`);
      held.push(server);
    }
    return held.map((server) => (server.address() as AddressInfo).port);
  } finally {
    await Promise.all(held.map((server) => new Promise((done) => server.close(done))));
  }
}

/** @throws {Error} naming the first of these ports that is taken */
export async function requirePorts(ports: readonly number[]): Promise<readonly number[]> {
  for (const port of ports) {
    const server = await hold(port);
    if (!server) throw new Error(`port ${String(port)} is in use by another process`);
    await new Promise((done) => server.close(done));
  }
  return ports;
}
