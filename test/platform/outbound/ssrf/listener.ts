/** The judge: a server that every spelling of this machine reaches, and that must get no connection. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { answer } from '../../../support/peers.js';

/** One accepted connection. */
export interface Visit {
  /** The bytes read from it so far. */
  received: string;
}

export interface Listener {
  port: number;
  /** Every connection since the last call, including one still being accepted. */
  visits(): Promise<Visit[]>;
  close(): Promise<void>;
}

/** Listens on all addresses of this machine, IPv4 and IPv6, and answers everything with 200. */
export async function startListener(): Promise<Listener> {
  const visits = new Map<string, Visit>();
  const server = createServer((socket) => {
    const visit: Visit = { received: '' };
    visits.set(cameFrom(socket), visit);
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      visit.received += chunk.toString('latin1');
      socket.end(answer('200 OK', 'inside', { Connection: 'close' }));
    });
    server.emit('visit');
  });
  await listenEverywhere(server);
  const { port } = server.address() as AddressInfo;

  return {
    port,
    visits: async () => {
      // Connections are accepted in order: when this one is accepted, so are all earlier ones.
      const ours = connect(port, '127.0.0.1');
      await once(ours, 'connect');
      const from = `127.0.0.1:${ours.localPort ?? 0}`;
      while (!visits.has(from)) await once(server, 'visit');
      ours.destroy();
      visits.delete(from);
      const seen = [...visits.values()];
      visits.clear();
      return seen;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

const cameFrom = (socket: Socket): string =>
  `${socket.remoteAddress?.replace('::ffff:', '') ?? ''}:${socket.remotePort ?? 0}`;

/** On `::` a server also accepts IPv4; a machine without IPv6 has only `0.0.0.0`. */
async function listenEverywhere(server: Server): Promise<void> {
  try {
    await once(server.listen(0, '::'), 'listening');
  } catch {
    await once(server.listen(0, '0.0.0.0'), 'listening');
  }
}
