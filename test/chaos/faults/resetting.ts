import type { Socket } from 'node:net';

/**
 * Ends a connection by RST. One whose writing side is ended is only closed: Node cannot reset it any more, would lose
 * track of its handle, and would wait for it for ever when the process ends.
 */
export function reset(socket: Socket): void {
  if (socket.writableEnded) socket.destroy();
  else socket.resetAndDestroy();
}
