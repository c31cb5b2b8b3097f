/** Delivery: the request that hands a lead to a buyer, and what its answer means. */
import { parseRetryAfter } from './backoff.js';
import type { Lead } from './lead.js';
import type { BuyerTerms } from './plan.js';
import { fromMicros } from './pricing.js';

export interface DeliveryRequest {
  url: string;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: string;
}

/** What a buyer cannot set for itself: ours, and those that frame the request. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'content-type',
  'x-lead-id',
  'idempotency-key',
  'x-leaddistro-signature',
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'expect',
  'upgrade',
]);

/**
 * The request of the default body (extensions, "Delivery"). The same lead and buyer give the same bytes and
 * the same `idempotency-key` at every attempt. The caller signs the body.
 */
export function buildDelivery(input: {
  lead: Pick<Lead, '_id' | 'campaign_id' | 'fields' | 'extra' | 'is_test' | 'created_at'>;
  terms: BuyerTerms;
}): DeliveryRequest {
  const { lead, terms } = input;
  const named = {
    lead_id: lead._id,
    campaign_id: lead.campaign_id,
    buyer_id: terms.buyer_id,
    is_test: lead.is_test,
    price: fromMicros(terms.price),
  };
  const rest = { extra: lead.extra, created_at: lead.created_at.toISOString() };
  const buyersOwn = Object.entries(terms.delivery.headers)
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => !OWN_HEADERS.has(name));
  return {
    url: terms.delivery.url,
    headers: {
      ...Object.fromEntries(buyersOwn),
      'content-type': 'application/json',
      'x-lead-id': lead._id,
      'idempotency-key': `${lead._id}:${terms.buyer_id}`,
    },
    // Twice: the first time for the order, the second time to win over fields of the same name.
    body: JSON.stringify({ ...named, ...lead.fields, ...named, ...rest }),
  };
}

/** What the network made of a request. not_sent: no byte of it can have reached the buyer. */
export type TransportReply =
  | { kind: 'answered'; status: number; headers: Record<string, string>; body: string }
  | { kind: 'not_sent'; reason: string }
  | { kind: 'no_answer'; reason: string };

/**
 * accepted: sold. rejected: the buyer's refusal. not_taken: surely not taken, may be tried again anywhere.
 * unknown: the buyer may have it.
 */
export interface DeliveryVerdict {
  result: 'accepted' | 'rejected' | 'not_taken' | 'unknown';
  reason: string;
  http_status?: number;
  /** Milliseconds that the buyer asked to be left alone. */
  retry_after_ms?: number;
}

/** Statuses below 500 that speak of the moment and not of the lead: request timeout, too early, too many requests. */
const PASSING: readonly number[] = [408, 425, 429];

/** Reads a buyer's answer by the default response rule (extensions, "Delivery"). */
export function readReply(reply: TransportReply, now: Date): DeliveryVerdict {
  switch (reply.kind) {
    case 'not_sent':
      return { result: 'not_taken', reason: reply.reason };
    case 'no_answer':
      return { result: 'unknown', reason: reply.reason };
    case 'answered':
      return readAnswer(reply.status, reply.headers, now);
  }
}

function readAnswer(status: number, headers: Record<string, string>, now: Date): DeliveryVerdict {
  const said = { reason: `The buyer answered ${status}`, http_status: status };
  if (status >= 200 && status < 300) return { result: 'accepted', ...said };
  if (status >= 300 && status < 400) {
    return { ...said, result: 'not_taken', reason: `${said.reason}; redirects are not followed` };
  }
  if (status >= 500 && status < 600) return { result: 'not_taken', ...said, ...wait(headers, now) };
  if (PASSING.includes(status)) return { result: 'not_taken', ...said, ...wait(headers, now) };
  if (status >= 400 && status < 500) return { result: 'rejected', ...said };
  return { ...said, result: 'unknown', reason: `${said.reason}, which is no status of HTTP` };
}

function wait(headers: Record<string, string>, now: Date): { retry_after_ms?: number } {
  const name = Object.keys(headers).find((key) => key.toLowerCase() === 'retry-after');
  const ms = parseRetryAfter(name === undefined ? undefined : headers[name], now);
  return ms === null ? {} : { retry_after_ms: ms };
}
