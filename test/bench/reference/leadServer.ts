/** Koa in front of a function that accepts one lead: every POST is one, answered as the service answers. */
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { parseBody } from '../../../src/api/http/parseBody.js';
import { readBytes } from '../../../src/api/http/readBytes.js';
import { timeOrderedId } from '../../../src/lib/ids.js';
import type { Body, Outcome } from './way.js';

const LIMIT = 256 * 1024;

/** Reports its address as the service's own processes do. */
export function serveLeads(take: (id: string, body: Body) => Promise<Outcome>): void {
  const app = new Koa();
  app.use(async (context) => {
    const bytes = await readBytes(context.req, LIMIT);
    const body = parseBody(bytes, context.get('content-type'));
    const id = timeOrderedId();
    const outcome = await take(id, body);
    if ('errors' in outcome) {
      context.status = 400;
      context.body = { error: 'fields_failed', errors: outcome.errors };
      return;
    }
    const { status, attempts } = outcome;
    const isSold = status === 'ACCEPTED';
    const buyer_id = isSold ? (attempts.at(-1)?.buyerId ?? null) : null;
    const data = { id, status, buyer_id, campaign_id: body.flo_campaign_id };
    context.status = isSold ? 201 : status === 'REJECTED' ? 422 : 200;
    context.body = { data: { ...data, ...(isSold ? { delivery: 'delivered' } : {}) } };
  });
  const server = app.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo;
    process.stderr.write(`${JSON.stringify({ msg: 'ready', url: `http://127.0.0.1:${port}` })}\n`);
  });
  server.keepAliveTimeout = 60_000;
}
