/** A real HTTP server that stands for a buyer and behaves as the test says. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export interface BuyerRequest {
  path: string;
  leadId: string;
  idempotencyKey: string;
  headers: IncomingMessage['headers'];
  rawBody: string;
  body: Record<string, unknown>;
  /** 1 for the first request of this buyer for this lead. */
  time: number;
  /** When the request had been read, in milliseconds of `performance.now()`. */
  at: number;
}

export interface BuyerReply {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
  delayMs?: number;
}

/** `hang` never answers; `reset` reads the request and cuts the connection. */
export type Behavior = BuyerReply | 'hang' | 'reset';

export interface FakeBuyer {
  url: string;
  requests: BuyerRequest[];
  /**
   * Ids of the leads it accepted, in order. A buyer that honors the key accepts a repeated key once; one that does not
   * accepts the lead again with every request, and lists it as often.
   */
  accepted(path?: string): string[];
  /** Takes effect from now on. */
  behave(answer: (request: BuyerRequest) => Behavior): void;
  /** Forgets all requests, and returns to its first behavior. */
  reset(): void;
  stop(): Promise<void>;
}

export const YES: BuyerReply = { status: 200, body: { ok: true } };
/** The buyer is unavailable. */
export const DOWN: BuyerReply = { status: 503 };
export const NO: BuyerReply = { status: 422, body: { reason: 'not wanted' } };

export interface FakeBuyerOptions {
  /** Default: any free port. */
  port?: number;
  /** Whether the buyer at this path honors `Idempotency-Key`; default: none does. */
  honorsKey?: (path: string) => boolean;
}

/** One server may stand for many buyers: each gets its own path under `url`. */
export async function startFakeBuyer(
  answer: (request: BuyerRequest) => Behavior = () => YES,
  { port = 0, honorsKey = () => false }: FakeBuyerOptions = {},
): Promise<FakeBuyer> {
  const requests: BuyerRequest[] = [];
  const accepts: { path: string; leadId: string }[] = [];
  const keys = new Set<string>();
  const times = new Map<string, number>();
  let behaviour = answer;

  const handle = async (req: IncomingMessage, res: ServerResponse) => {
    let rawBody = '';
    for await (const chunk of req) rawBody += String(chunk);
    const body = JSON.parse(rawBody) as Record<string, unknown>;
    const path = req.url ?? '/';
    const leadId = String(body.lead_id);
    const time = (times.get(`${path} ${leadId}`) ?? 0) + 1;
    times.set(`${path} ${leadId}`, time);
    const idempotencyKey = String(req.headers['idempotency-key']);
    const at = performance.now();
    const request = { path, leadId, idempotencyKey, headers: req.headers, rawBody, body, time, at };
    requests.push(request);
    const reply = behaviour(request);
    if (reply === 'hang') return;
    if (reply === 'reset') {
      req.socket.resetAndDestroy();
      return;
    }
    const key = `${path} ${idempotencyKey}`;
    if (reply.status < 300 && !(honorsKey(path) && keys.has(key))) accepts.push({ path, leadId });
    if (reply.status < 300) keys.add(key);
    if (reply.delayMs) await delay(reply.delayMs);
    res.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
    res.end(JSON.stringify(reply.body ?? {}));
  };

  const server = createServer((req, res) => {
    handle(req, res).catch(() => req.socket.destroy());
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    accepted: (path) =>
      accepts.filter((one) => !path || one.path === path).map(({ leadId }) => leadId),
    behave: (next) => {
      behaviour = next;
    },
    reset() {
      behaviour = answer;
      requests.length = 0;
      accepts.length = 0;
      keys.clear();
      times.clear();
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
