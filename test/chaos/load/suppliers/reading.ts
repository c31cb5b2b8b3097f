/** Reads an answer of ingest into the terms of the history (contract 2.4). */
import type { AnswerClass, Completed } from '../../evidence/evidence.js';

export interface Received {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

export type Reading = Omit<Completed, 'kind' | 'at' | 'op'>;

export const NO_ANSWER: Reading = {
  outcome: 'info',
  answer: null,
  status: null,
  lead_id: null,
  buyer_id: null,
  duplicate_of: null,
  replayed: false,
};

export function readAnswer({ status, headers, text }: Received): Reading {
  const body = readObject(text);
  const data = asObject(body?.data);
  const answer = classOf(status, textOf(body?.error), data);
  const reading: Reading = {
    outcome: OUTCOMES[answer],
    answer,
    status,
    lead_id: textOf(data?.id) ?? textOf(body?.lead_id),
    buyer_id: textOf(data?.buyer_id),
    duplicate_of: textOf(data?.duplicate_of),
    replayed: headers['idempotent-replayed'] === 'true',
  };
  return answer === 'unexpected' ? { ...reading, error: text.slice(0, 300) } : reading;
}

/** Milliseconds of a Retry-After in whole seconds; null without one. */
export function readRetryAfter({ headers }: Received): number | null {
  const value = headers['retry-after'];
  return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) * 1_000 : null;
}

function classOf(
  status: number,
  error: string | null,
  data: Record<string, unknown> | null,
): AnswerClass {
  if (status === 201 && data?.status === 'ACCEPTED') {
    if (data.delivery === 'delivered') return 'delivered';
    if (data.delivery === 'pending') return 'pending';
  }
  if (status === 200 && data?.status === 'UNMATCHED') return 'unmatched';
  if (status === 200 && data?.status === 'DUPLICATE') return 'duplicate';
  if (status === 422 && error === 'filtered') return 'rejected';
  if (status === 422 && error === 'idempotency_key_reused') return 'key_reused';
  if (status === 403 && error === 'supplier_capped') return 'capped';
  if (status === 429) return 'limited';
  if (status === 503) return 'not_taken';
  if (status === 504 && error === 'outcome_unknown') return 'cannot_tell';
  return 'unexpected';
}

const OUTCOMES: Record<AnswerClass, Completed['outcome']> = {
  delivered: 'ok',
  pending: 'ok',
  unmatched: 'ok',
  duplicate: 'ok',
  rejected: 'ok',
  capped: 'ok',
  key_reused: 'ok',
  limited: 'fail',
  not_taken: 'fail',
  cannot_tell: 'info',
  unexpected: 'info',
};

function readObject(text: string): Record<string, unknown> | null {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return null;
  }
}

const asObject = (value: unknown): Record<string, unknown> | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
