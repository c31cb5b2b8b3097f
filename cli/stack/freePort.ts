import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Looks whether the API's address can be listened on, before anything slow is started. 0 always can.
 * @throws {Error} naming the address and what to do
 */
export async function assertPortFree(host: string, port: number): Promise<void> {
  if (port === 0) return;
  const server = createServer();
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new Error(explain(host, port, (error as NodeJS.ErrnoException).code), { cause: error });
  }
  server.close();
  await once(server, 'close');
}

function explain(host: string, port: number, code: string | undefined): string {
  const address = `${host}:${port}`;
  if (code === 'EADDRINUSE') {
    return (
      `Port ${port} is in use: another process listens on ${address}. Stop it, or set PORT to another port (PORT=0 ` +
      'picks a free one).'
    );
  }
  if (code === 'EACCES') {
    return `This user may not open port ${port}. Set PORT to a port above 1023.`;
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return `HOST ${host} is not an address of this machine. Use 127.0.0.1, or 0.0.0.0 for all.`;
  }
  return `Cannot listen on ${address}: ${code ?? 'unknown reason'}. Set HOST and PORT.`;
}
