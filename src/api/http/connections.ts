/** Bounds the connections of one client, so that none can take all that the server accepts. */
import type { Server, Socket } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The bits of an IPv6 address that one client has for itself: networks are given out whole. */
const IPV6_BITS = 64;

/**
 * Closes a connection at once when its client has `most` open. Behind a proxy all clients have one address: there the
 * proxy bounds them.
 */
export function boundConnections(server: Server, most: number): void {
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const client = clientOf(socket.remoteAddress ?? '');
    const count = (open.get(client) ?? 0) + 1;
    if (count > most) {
      socket.destroy();
      return;
    }
    open.set(client, count);
    socket.once('close', () => {
      const left = (open.get(client) ?? 1) - 1;
      if (left > 0) open.set(client, left);
      else open.delete(client);
    });
  });
}

/** The address; of IPv6 the network. */
function clientOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return parsed
    .toByteArray()
    .slice(0, IPV6_BITS / 8)
    .join('.');
}
