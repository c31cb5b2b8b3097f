import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { waitFor } from '../../../support/waitFor.js';
import type { Completed, HistoryEvent, Invoked, Seen } from '../../evidence/evidence.js';
import { startSuppliers, type Suppliers, type SuppliersOptions } from './suppliers.js';

interface Posted {
  key: string | undefined;
  text: string;
  intent: number;
  /** 1 for the first request of this lead. */
  time: number;
  altered: boolean;
}

/** `cut` closes the connection, `hang` never answers. */
type Reply =
  | { status: number; body: unknown; headers?: Record<string, string>; afterMs?: number }
  | 'cut'
  | 'hang';

const YES: Reply = { status: 201, body: { data: sale('lead') } };
const BUSY: Reply = {
  status: 503,
  body: { error: 'unavailable' },
  headers: { 'retry-after': '2' },
};
const REUSED: Reply = { status: 422, body: { error: 'idempotency_key_reused' } };

function sale(id: string) {
  return { id, status: 'ACCEPTED', buyer_id: 'b', campaign_id: 'c', delivery: 'delivered' };
}

const servers: Server[] = [];
const running: Suppliers[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((suppliers) => suppliers.stop()));
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

interface Script {
  posted: Posted[];
  events: HistoryEvent[];
  of<K extends HistoryEvent['kind']>(kind: K): Extract<HistoryEvent, { kind: K }>[];
  suppliers: Suppliers;
}

/** Suppliers against a server with prepared answers. */
async function run(
  answer: (posted: Posted) => Reply,
  options: Partial<SuppliersOptions> = {},
): Promise<Script> {
  const posted: Posted[] = [];
  const handle = async (req: IncomingMessage, res: ServerResponse) => {
    let text = '';
    for await (const chunk of req) text += String(chunk);
    const body = JSON.parse(text) as { chaos_intent: number; chaos_altered?: boolean };
    const intent = body.chaos_intent;
    const time = posted.filter((one) => one.intent === intent).length + 1;
    const key = req.headers['idempotency-key'];
    const one: Posted = {
      key: typeof key === 'string' ? key : undefined,
      text,
      intent,
      time,
      altered: body.chaos_altered === true,
    };
    posted.push(one);
    const reply = answer(one);
    if (reply === 'hang') return;
    if (reply === 'cut') {
      req.socket.destroy();
      return;
    }
    if (reply.afterMs !== undefined) await new Promise((done) => setTimeout(done, reply.afterMs));
    res.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
    res.end(JSON.stringify(reply.body));
  };
  const server = createServer((req, res) => void handle(req, res).catch(() => res.destroy()));
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const events: HistoryEvent[] = [];
  const started = startSuppliers({
    urls: [`http://127.0.0.1:${(server.address() as AddressInfo).port}`],
    campaigns: [{ campaign_id: 'c', weight: 1, suppliers: [{ id: 's', key: 'k' }] }],
    rate: 100,
    seed: 'seed',
    spacing: 'even',
    habits: { aborts: 0, twice: 0, alters: 0 },
    longestPauseMs: 20,
    alterWithinMs: 100,
    history: { append: (event) => void events.push(event) },
    ...options,
  });
  running.push(started);
  const of: Script['of'] = (kind) => events.filter((event) => event.kind === kind) as never;
  return { posted, events, of, suppliers: started };
}

const byIntent = (events: readonly Invoked[], intent: number) =>
  events.filter((event) => event.intent === intent);
const endOf = (script: Script, { op }: Invoked): Completed | undefined =>
  script.of('completed').find((event) => event.op === op);

/** Until this lead has been sent `times` times and all of its requests have ended. */
async function ended(script: Script, intent: number, times: number): Promise<Invoked[]> {
  const invoked = () => byIntent(script.of('invoked'), intent);
  const isEnded = () =>
    invoked().length >= times && invoked().every((event) => endOf(script, event) !== undefined);
  await waitFor(isEnded, { message: `${times} sendings of lead ${intent}`, timeoutMs: 5_000 });
  return invoked();
}

describe('suppliers', () => {
  it('send a lead again after a 503, as another operation of the same lead', async () => {
    const script = await run(({ time }) => (time === 1 ? BUSY : YES));
    const [first, second] = await ended(script, 1, 2);
    expect(first).toMatchObject({ time: 1, supplier_id: 's', campaign_id: 'c' });
    expect(second).toMatchObject({ ...first, op: second?.op, at: second?.at, time: 2 });
    expect(first && endOf(script, first)).toMatchObject({ outcome: 'fail', answer: 'not_taken' });
    expect(second && endOf(script, second)).toMatchObject({
      outcome: 'ok',
      answer: 'delivered',
      status: 201,
      lead_id: 'lead',
      buyer_id: 'b',
      replayed: false,
    });
  });

  it('send the same body and key again when the connection broke, with the result unknown', async () => {
    const script = await run(({ time }) => (time === 1 ? 'cut' : YES), { keyed: 1 });
    const [first] = await ended(script, 1, 2);
    expect(first && endOf(script, first)).toMatchObject({ outcome: 'info', answer: null });
    const [one, two] = script.posted.filter(({ intent }) => intent === 1);
    expect(one?.key).toBeDefined();
    expect([two?.key, two?.text]).toEqual([one?.key, one?.text]);
  });

  it('send it again when no answer came in time', async () => {
    const script = await run(({ time }) => (time === 1 ? 'hang' : YES), { patienceMs: 60 });
    const [first] = await ended(script, 1, 2);
    expect(first && endOf(script, first)).toMatchObject({
      outcome: 'info',
      error: 'no answer in time; closed by the supplier',
    });
  });

  it('give up after their time limit, and keep the last answer', async () => {
    const script = await run(() => BUSY, { giveUpAfterMs: 60 });
    await waitFor(() => script.suppliers.counts().gaveUp > 0, {
      message: 'a lead that was given up',
      timeoutMs: 5_000,
    });
    await script.suppliers.stop();
    const last = byIntent(script.of('invoked'), 1).at(-1);
    expect(last && endOf(script, last)).toMatchObject({ answer: 'not_taken' });
  });

  it('count a refused connection as definitely not accepted', async () => {
    const script = await run(() => YES, {
      urls: ['http://127.0.0.1:9'],
      giveUpAfterMs: 10,
    });
    const [first] = await ended(script, 1, 1);
    expect(first && endOf(script, first)).toMatchObject({ outcome: 'fail', answer: null });
  });

  it('close a connection before the answer, and send the lead again', async () => {
    const slow = { ...YES, afterMs: 200 };
    const script = await run(({ time }) => (time === 1 ? slow : YES), { habits: { aborts: 1 } });
    const [first] = await ended(script, 1, 2);
    expect(first && endOf(script, first)).toMatchObject({
      outcome: 'info',
      error: 'closed by the supplier before the answer',
    });
    await script.suppliers.stop();
    const told = script.of('seen').find(({ state }) => state.startsWith('connection closed'));
    expect(told?.count).toBeGreaterThan(0);
  });

  it('send one key twice at the same time, and one again with another body', async () => {
    const answers = ({ altered }: Posted) => (altered ? REUSED : YES);
    const twice = await run(answers, { habits: { twice: 1 }, rate: 20 });
    const both = await ended(twice, 1, 2);
    expect(both.map(({ time }) => time)).toEqual([1, 2]);
    expect(new Set(both.map(({ idempotency_key: key }) => key)).size).toBe(1);
    await twice.suppliers.stop();

    const script = await run(answers, { habits: { alters: 1 }, rate: 20 });
    const [, other] = await ended(script, 1, 2);
    expect(other).toMatchObject({ altered: true, time: 2 });
    expect(other && endOf(script, other)).toMatchObject({ outcome: 'ok', answer: 'key_reused' });
    const [one, two] = script.posted.filter(({ intent }) => intent === 1);
    expect(two?.key).toBe(one?.key);
    expect(two?.text).not.toBe(one?.text);
  });

  it('continue posting without answers, up to their limit of open leads', async () => {
    const script = await run(() => 'hang', {
      rate: 500,
      maxOpen: 5,
      patienceMs: 300,
      giveUpAfterMs: 1,
    });
    await waitFor(() => script.suppliers.counts().skipped >= 20, {
      message: 'leads that were skipped',
      timeoutMs: 5_000,
    });
    expect(script.suppliers.counts().open).toBeLessThanOrEqual(5);
    await script.suppliers.stop();
    const skipped = script
      .of('seen')
      .find(({ state }): boolean => state === 'load skipped') as Seen;
    expect(skipped.count).toBeGreaterThanOrEqual(20);
    expect(script.of('invoked').length).toBe(script.of('completed').length);
  });
});
