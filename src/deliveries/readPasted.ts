/** What an answer that a person has pasted would mean for a lead: read by the rules that read a buyer's answers. */
import type { BuyerTerms } from '../account/rules/plan.js';
import { readableAnswer, ruleHolds } from '../account/rules/response.js';
import type { HttpAnswer } from '../platform/outbound/reply.js';
import { readReply, type DeliveryVerdict } from './rules/delivery.js';

/** What decided: a rule of the buyer, its acceptance rule that did not hold, or the status alone. */
export type DecidedBy = 'accept_when' | 'reject_when' | 'not_accepted' | 'status';

export interface PastedReading {
  verdict: DeliveryVerdict;
  by: DecidedBy;
}

/** @throws {TypeError} for a buyer that is not sent leads over HTTP */
export function readPasted(
  answer: Pick<HttpAnswer, 'status' | 'headers' | 'body'>,
  { delivery }: Pick<BuyerTerms, 'delivery'>,
  now: Date,
): PastedReading {
  if (delivery.method !== 'WEBHOOK') throw new TypeError('Only a webhook answers');
  const reply: HttpAnswer = { kind: 'answered', ...answer };
  const verdict = readReply(reply, now, delivery.response);
  return { verdict, by: decidedBy(reply, delivery.response ?? {}, verdict) };
}

type Rules = NonNullable<Extract<BuyerTerms['delivery'], { method: 'WEBHOOK' }>['response']>;

function decidedBy(reply: HttpAnswer, rules: Partial<Rules>, verdict: DeliveryVerdict): DecidedBy {
  const answer = readableAnswer(reply);
  const { accept_when: acceptance, reject_when: refusal } = rules;
  if (acceptance !== undefined && ruleHolds(acceptance, answer)) return 'accept_when';
  if (refusal !== undefined && ruleHolds(refusal, answer)) return 'reject_when';
  const isMissed = acceptance !== undefined && reply.status >= 200 && reply.status < 300;
  return isMissed && verdict.result === 'rejected' ? 'not_accepted' : 'status';
}
