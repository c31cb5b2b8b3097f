/** One request of a buyer that reports an outcome, and its answer (contract 7.1). */
import type { Pool } from 'undici';
import type { History } from '../evidence/historyFile.js';
import type { Pools } from '../load/pools.js';
import { readRetryAfter } from '../load/suppliers/reading.js';
import type { OutcomeAnswer, OutcomeAsked, OutcomeTold } from './evidence.js';

export type OutcomeReport = Omit<OutcomeAsked, 'kind' | 'at' | 'op'>;

export interface ReportReply {
  told: OutcomeTold;
  /** The time that the service named, in milliseconds. */
  retryAfterMs: number | null;
}

export interface SendReportDeps {
  pools: Pick<Pools, 'next'>;
  history: Pick<History, 'append'>;
  /** The webhook secret of a buyer, by its id. */
  secretOf: (buyerId: string) => string;
}

export type SendReport = (report: OutcomeReport) => Promise<ReportReply>;

/** Maximum wait for an answer, in milliseconds: the service answers within five seconds. */
const TIMEOUT_MS = 8_000;
/** Nothing was sent, because there was no connection. */
const NOT_CONNECTED = ['ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT'];

type Reading = Omit<OutcomeTold, 'kind' | 'at' | 'op'>;
type Read = { reading: Reading; retryAfterMs: number | null };

export function createSendReport({ pools, history, secretOf }: SendReportDeps): SendReport {
  let ops = 0;
  return async (report) => {
    const op = ++ops;
    history.append({ kind: 'outcome_asked', at: Date.now(), op, ...report });
    const { reading, retryAfterMs } = await post(
      pools.next(),
      secretOf(report.buyer_id),
      report,
    ).catch(unanswered);
    const told: OutcomeTold = { kind: 'outcome_told', at: Date.now(), op, ...reading };
    history.append(told);
    return { told, retryAfterMs };
  };
}

async function post(pool: Pool, secret: string, report: OutcomeReport): Promise<Read> {
  const { lead_id, key, outcome, revenue, altered } = report;
  const body = {
    lead_id,
    outcome,
    idempotency_key: key,
    note: key,
    ...(revenue === null ? {} : { conversion_revenue: revenue }),
    ...(altered ? { lead_value: 1 } : {}),
  };
  const reply = await pool.request({
    method: 'POST',
    path: '/api/webhooks/buyer-outcome',
    headers: { 'content-type': 'application/json', 'x-buyer-secret': secret },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const text = await reply.body.text();
  const received = { status: reply.statusCode, headers: reply.headers, text };
  return { reading: readOutcome(received), retryAfterMs: readRetryAfter(received) };
}

interface Received {
  status: number;
  text: string;
}

const ANSWERS: Record<number, OutcomeAnswer> = {
  200: 'made',
  409: 'conflict',
  429: 'limited',
  503: 'not_taken',
  504: 'cannot_tell',
};

const RESULTS: Record<OutcomeAnswer, OutcomeTold['result']> = {
  made: 'ok',
  conflict: 'ok',
  limited: 'fail',
  not_taken: 'fail',
  cannot_tell: 'info',
  unexpected: 'info',
};

export function readOutcome({ status, text }: Received): Reading {
  const answer = ANSWERS[status] ?? 'unexpected';
  const data = answer === 'made' ? dataOf(text) : {};
  return {
    result: RESULTS[answer],
    answer,
    status,
    replayed: data.replayed === true,
    outcome: typeof data.outcome === 'string' ? data.outcome : null,
    ...(answer === 'unexpected' ? { error: text.slice(0, 300) } : {}),
  };
}

function dataOf(text: string): { replayed?: unknown; outcome?: unknown } {
  const { data } = JSON.parse(text) as { data?: { replayed?: unknown; outcome?: unknown } };
  return data ?? {};
}

function unanswered(thrown: unknown): Read {
  const { code, message } = thrown as Partial<NodeJS.ErrnoException>;
  const reading: Reading = {
    answer: null,
    status: null,
    replayed: false,
    outcome: null,
    result: code !== undefined && NOT_CONNECTED.includes(code) ? 'fail' : 'info',
    error: [code, message ?? String(thrown)].filter(Boolean).join(': '),
  };
  return { reading, retryAfterMs: null };
}
