/**
 * Buyers in a process of their own: `/fast` accepts at once, `/slow/<ms>` after that time, `/status/<n>` answers
 * with that status, `/hang` never. Of pings: `/bid/<price>` bids that at once, `/seldom/<n>/<price>` answers only every
 * n-th, and the others never. Of events: a POST to `/told` is accepted, and a GET there returns how many came.
 * Of leads: a GET of `/taken` returns how many came, a POST there with `[lead, buyers][]` which came otherwise.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { rememberTaken, type Expected } from './audit/taken.js';

let asked = 0;
/** By their ids: the same event may come twice. */
const told = new Set<string>();
const taken = rememberTaken();

const server = createServer((request, response) => {
  const url = request.url ?? '';
  const say = (value: unknown): void => void response.end(JSON.stringify(value));
  if (url === '/taken' && request.method === 'POST') {
    void text(request).then((body) => say(taken.differing(JSON.parse(body) as Expected[])));
    return;
  }
  request.resume();
  request.on('end', () => {
    if (url.startsWith('/hang')) return;
    if (url === '/taken') {
      say(taken.totals());
      return;
    }
    if (url === '/told' && request.method === 'POST')
      told.add(String(request.headers['webhook-id']));
    if (url === '/told' && request.method === 'GET') {
      say({ told: told.size });
      return;
    }
    const [, every, seldom] = /^\/seldom\/(\d+)\/([\d.]+)/.exec(url) ?? [];
    if (every !== undefined && ++asked % Number(every) !== 0) return;
    const price = seldom ?? /^\/bid\/([\d.]+)/.exec(url)?.[1];
    const slow = /^\/slow\/(\d+)/.exec(url)?.[1];
    const status = Number(/^\/status\/(\d+)/.exec(url)?.[1] ?? 200);
    const lead = request.headers['x-lead-id'];
    if (status === 200 && price === undefined && typeof lead === 'string')
      taken.take(lead, String(request.headers['idempotency-key']));
    const answer = () => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(price === undefined ? '{"ok":true}' : `{"bid_price":${price}}`);
    };
    if (slow === undefined) answer();
    else setTimeout(answer, Number(slow));
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stderr.write(`${JSON.stringify({ msg: 'ready', url: `http://127.0.0.1:${port}` })}\n`);
});
