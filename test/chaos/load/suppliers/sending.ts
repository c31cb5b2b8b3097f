/** One HTTP request of a supplier: one `invoked` and one `completed` event, whatever its result. */
import type { History } from '../../evidence/historyFile.js';
import type { Pools } from '../pools.js';
import { NO_ANSWER, readAnswer, readRetryAfter, type Reading } from './reading.js';
import type { Intent } from './workload.js';

export interface Sending {
  intent: Intent;
  /** 1 for the first sending of this intent. */
  time: number;
  /** Another body under the same key. */
  altered: boolean;
  /** Closes the connection after this many milliseconds if no answer has come. */
  abortAfterMs?: number;
}

export interface Sent {
  reading: Reading;
  /** The time that the service named, in milliseconds. */
  retryAfterMs: number | null;
}

export interface Sender {
  send(sending: Sending): Promise<Sent>;
  /** Aborts all open requests. */
  breakOff(): void;
}

export interface SenderDeps {
  pools: Pick<Pools, 'next'>;
  history: Pick<History, 'append'>;
  /** Closes the connection after this many milliseconds without an answer. */
  patienceMs: number;
  /** Requests have numbers above this; 0 by default. */
  numbersFrom?: number;
}

/** The error of a sending that its supplier aborted by habit. */
export const ABORTED = 'closed by the supplier before the answer';
const TIMED_OUT = 'no answer in time; closed by the supplier';
const RUN_OVER = 'broken off at the end of the run';
/** Nothing was sent, because there was no connection. */
const NOT_CONNECTED = ['ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT'];

export function createSender({ pools, history, patienceMs, numbersFrom = 0 }: SenderDeps): Sender {
  const open = new Set<AbortController>();
  let ops = numbersFrom;

  const request = async (sending: Sending, signal: AbortSignal): Promise<Sent> => {
    const { body, supplier, idempotency_key } = sending.intent;
    const posted = sending.altered ? { ...body, first_name: 'Altered', chaos_altered: true } : body;
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      'x-api-key': supplier.key,
    };
    if (idempotency_key !== null) headers['idempotency-key'] = idempotency_key;
    const path = '/api/v1/ingest';
    const text = JSON.stringify(posted);
    const to = { method: 'POST', path, headers, body: text, signal } as const;
    const reply = await pools.next().request(to);
    const received = {
      status: reply.statusCode,
      headers: reply.headers,
      text: await reply.body.text(),
    };
    return { reading: readAnswer(received), retryAfterMs: readRetryAfter(received) };
  };

  return {
    async send(sending) {
      const op = ++ops;
      history.append({ ...invocation(sending), at: Date.now(), op });
      const breaker = new AbortController();
      open.add(breaker);
      const { abortAfterMs = patienceMs } = sending;
      const reason = abortAfterMs < patienceMs ? ABORTED : TIMED_OUT;
      const timer = setTimeout(() => breaker.abort(new Error(reason)), abortAfterMs);
      const sent = await request(sending, breaker.signal).catch((error: unknown) =>
        unanswered(error),
      );
      clearTimeout(timer);
      open.delete(breaker);
      history.append({ kind: 'completed', at: Date.now(), op, ...sent.reading });
      return sent;
    },
    breakOff: () => open.forEach((breaker) => breaker.abort(new Error(RUN_OVER))),
  };
}

function invocation({ intent, time, altered }: Sending) {
  return {
    kind: 'invoked' as const,
    intent: intent.intent,
    time,
    campaign_id: intent.campaign_id,
    supplier_id: intent.supplier.id,
    idempotency_key: intent.idempotency_key,
    phone: intent.phone,
    email: intent.email,
    ...(altered ? { altered } : {}),
  };
}

function unanswered(thrown: unknown): Sent {
  const { code, message } = thrown as Partial<NodeJS.ErrnoException>;
  const reading: Reading = {
    ...NO_ANSWER,
    outcome: code !== undefined && NOT_CONNECTED.includes(code) ? 'fail' : 'info',
    error: [code, message ?? String(thrown)].filter(Boolean).join(': '),
  };
  return { reading, retryAfterMs: null };
}
