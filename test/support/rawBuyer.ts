/** A buyer at TCP level: it records each request, and treats the connection as the test says. */
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { answer } from './peers.js';

export interface RawRequest {
  path: string;
  leadId: string;
  idempotencyKey: string;
}

/** Runs once a request has been read completely. */
export type Act = (socket: Socket) => void;

export interface RawBuyer {
  url: string;
  port: number;
  /** The acts for this path's first request of a lead, its second, …; the last one serves all further ones. */
  behave(path: string, ...acts: Act[]): void;
  /** The requests to this path, in order. */
  requests(path: string): RawRequest[];
  stop(): Promise<void>;
}

/** Writes these bytes. */
export const say =
  (text: string): Act =>
  (socket) =>
    void socket.write(text);

/** Writes these bytes, then ends the connection. */
export const sayAndEnd =
  (text: string): Act =>
  (socket) =>
    void socket.end(text);

export const YES: Act = say(answer('200 OK', '{"ok":true}'));

export async function startRawBuyer(): Promise<RawBuyer> {
  const sockets = new Set<Socket>();
  const behaviours = new Map<string, Act[]>();
  const requests: RawRequest[] = [];

  const take = (request: RawRequest, socket: Socket) => {
    const { path, leadId } = request;
    const earlier = requests.filter((one) => one.path === path && one.leadId === leadId).length;
    requests.push(request);
    const acts = behaviours.get(path) ?? [YES];
    (acts[earlier] ?? acts.at(-1) ?? YES)(socket);
  };
  const server = createServer((socket) => {
    let text = '';
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      for (let next = readRequest(text); next; next = readRequest(text)) {
        text = next.rest;
        take(next.request, socket);
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    behave: (path, ...acts) => void behaviours.set(path, acts),
    requests: (path) => requests.filter((request) => request.path === path),
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The first request in these bytes, and the rest; null while it is incomplete. */
function readRequest(text: string): { request: RawRequest; rest: string } | null {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd < 0) return null;
  const head = text.slice(0, headEnd);
  const header = (name: string): string =>
    new RegExp(`^${name}: *(.*)$`, 'im').exec(head)?.[1]?.trim() ?? '';
  const end = headEnd + 4 + Number(header('content-length'));
  if (text.length < end) return null;
  const request = {
    path: head.split(' ')[1] ?? '',
    leadId: header('x-lead-id'),
    idempotencyKey: header('idempotency-key'),
  };
  return { request, rest: text.slice(end) };
}
