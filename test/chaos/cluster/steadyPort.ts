/** Ports that can be released and taken again while other processes open connections. */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Below the range from which systems take a connection's own port (Linux: from 32768): no connection takes a port
 * that is unused for a while, and connecting to it is certainly refused.
 */
const STEADY: readonly [number, number] = [31_100, 32_700];
const TRIES = 200;
const PAUSE_MS = 25;

/**
 * Listens on loopback and returns the port: `port` when given, as soon as it is free; else any free one that
 * can be taken again later.
 * @throws {Error} naming the port, when none could be taken within about 5 seconds
 */
export async function listenSteadily(server: Server, port?: number): Promise<number> {
  for (let tries = 1; ; tries++) {
    server.listen({ port: port ?? randomInt(...STEADY), host: '127.0.0.1' });
    try {
      await once(server, 'listening');
      return (server.address() as AddressInfo).port;
    } catch (error) {
      if (tries === TRIES)
        throw new Error(`Port ${port ?? 'any'} cannot be taken`, { cause: error });
      if (port !== undefined) await delay(PAUSE_MS);
    }
  }
}
