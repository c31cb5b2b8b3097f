/** The result of one attempt to deliver a lead. */
import { answerValues } from './answerValues.js';
import { parseRetryAfter } from './backoff.js';
import type { Micros } from '../../fields/money.js';
import { readableAnswer, ruleHolds, type ReadableAnswer } from '../../account/rules/response.js';
import type { ResponseRules } from '../../account/buyers/responseSchema.js';
import type { TlsTrouble } from '../../platform/outbound/tlsTrouble.js';
import { getOwn } from '../../lib/getOwn.js';
import type { HttpAnswer, NoReply, TransportReply } from '../../platform/outbound/reply.js';

/**
 * accepted: sold. rejected: the buyer's refusal. not_taken: definitely not accepted, may be tried again anywhere.
 * unknown: the buyer may have it.
 */
export interface DeliveryVerdict {
  result: 'accepted' | 'rejected' | 'not_taken' | 'unknown';
  reason: string;
  http_status?: number;
  /**
   * This installation did not send it: one of its limits held it back, or it was late. That is no evidence about the
   * buyer; its queue waits as after a Retry-After.
   */
  ours?: true;
  /** Milliseconds that the buyer asked us to wait. */
  retry_after_ms?: number;
  /** The buyer's reference for the lead, at most 200 characters. */
  reference?: string;
  /** The price that the buyer's answer names; only where it accepted. */
  price?: Micros;
  /** Set when the buyer was not reached because its TLS is too weak or too old. */
  tls?: TlsTrouble;
  /** Further notes about the answer, such as `price_ignored`. */
  notes?: string[];
}

/** Statuses below 500 about the moment, not the lead: request timeout, too early, too many requests. */
export const PASSING: readonly number[] = [408, 425, 429];

/** Reads a buyer's answer, by the buyer's rules where it has any (contract 6.4). */
export function readReply(
  reply: TransportReply,
  now: Date,
  rules: ResponseRules | null = null,
): DeliveryVerdict {
  if (reply.kind !== 'answered') return withoutAnswer(reply);
  const byStatus = readStatus(reply, now);
  return rules === null ? byStatus : readByRules(reply, rules, byStatus);
}

export const withoutAnswer = ({ kind, reason, late, tls }: NoReply): DeliveryVerdict => ({
  result: kind === 'not_sent' ? 'not_taken' : 'unknown',
  reason,
  ours: late,
  tls,
});

/** By the status alone: the default response rule. */
export function readStatus({ status, headers }: HttpAnswer, now: Date): DeliveryVerdict {
  const facts = { reason: `The buyer answered ${status}`, http_status: status };
  if (isSuccess(status)) return { result: 'accepted', ...facts };
  if (status >= 300 && status < 400) {
    return { ...facts, result: 'not_taken', reason: `${facts.reason}; redirects are not followed` };
  }
  if ((status >= 500 && status < 600) || PASSING.includes(status))
    return { result: 'not_taken', ...facts, ...wait(headers, now) };
  if (status >= 400 && status < 500) return { result: 'rejected', ...facts };
  return { ...facts, result: 'unknown', reason: `${facts.reason}, which is no status of HTTP` };
}

/**
 * `accept_when`, then `reject_when`, at any status. Where neither holds: with an `accept_when`, a 2xx is a
 * refusal, since the answer does not match the buyer's acceptance; any other answer is read by its status. A 2xx
 * whose decisive body could not be unpacked is unknown.
 */
function readByRules(
  reply: HttpAnswer,
  rules: ResponseRules,
  byStatus: DeliveryVerdict,
): DeliveryVerdict {
  const { status } = reply;
  const answer = readableAnswer(reply);
  const { accept_when: acceptance, reject_when: refusal } = rules;
  const accepted = acceptance !== undefined && ruleHolds(acceptance, answer);
  if (!accepted && isLost(reply, answer)) return lost(reply);
  const rejected = !accepted && refusal !== undefined && ruleHolds(refusal, answer);
  if (!accepted && !rejected && isLost(reply, answer)) return lost(reply);
  const missed = !accepted && !rejected && acceptance !== undefined && isSuccess(status);
  const { price, notes, ...values } = answerValues(rules, answer);
  const unreadable = isSuccess(status) && answer.unreadable() ? ['unreadable_answer'] : [];
  const verdict: DeliveryVerdict = {
    ...(accepted || rejected || missed
      ? { result: accepted ? 'accepted' : 'rejected', http_status: status }
      : byStatus),
    reason: missed ? (unreadable[0] ?? 'not_accepted_by_rule') : byStatus.reason,
    ...values,
  };
  const all = [...unreadable, ...notes].filter((note) => note !== verdict.reason);
  return {
    ...verdict,
    price: verdict.result === 'accepted' ? price : undefined,
    notes: all.length > 0 ? all : undefined,
  };
}

/** A rule reads a body that could not be unpacked: the buyer may have accepted the lead, or refused it. */
const isLost = ({ status, undecoded }: HttpAnswer, answer: ReadableAnswer): boolean =>
  undecoded !== undefined && isSuccess(status) && answer.unreadable();

const lost = ({ status, undecoded = '' }: HttpAnswer): DeliveryVerdict => ({
  result: 'unknown',
  http_status: status,
  reason: `The buyer answered ${status}; ${undecoded}`,
});

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

function wait(headers: Record<string, string>, now: Date): { retry_after_ms?: number } {
  const name = Object.keys(headers).find((key) => key.toLowerCase() === 'retry-after');
  const ms = parseRetryAfter(name === undefined ? undefined : getOwn(headers, name), now);
  return ms === null ? {} : { retry_after_ms: ms };
}
