import type { Socket } from 'node:net';

/**
 * Ends a connection by RST. One that has been ended in order is only closed: Node cannot reset it any more, would lose
 * sight of its handle, and wait for that for ever when the process ends.
 */
export function reset(socket: Socket): void {
  if (socket.writableEnded) socket.destroy();
  else socket.resetAndDestroy();
}
