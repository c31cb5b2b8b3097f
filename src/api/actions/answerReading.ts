/** What an answer of a buyer would mean for a lead, as `test_delivery` shows it. */
import { readResponseRules } from '../../account/buyers/delivery.js';
import type { BuyerTerms } from '../../account/rules/plan.js';
import { readPasted } from '../../deliveries/readPasted.js';
import { fromMicros } from '../../fields/money.js';
import type { HttpAnswer } from '../../platform/outbound/reply.js';
import { consequenceOf } from '../../routing/rules/consequence.js';
import { invalidField } from './readInput.js';

/** @throws {AppError} `validation_failed` naming every rule that is not valid */
export function withResponse(terms: BuyerTerms, response: unknown): BuyerTerms {
  const { delivery } = terms;
  if (response === undefined || delivery.method !== 'WEBHOOK') return terms;
  return { ...terms, delivery: { ...delivery, response: readResponseRules(response) } };
}

export function readingOf(
  answer: Pick<HttpAnswer, 'status' | 'headers' | 'body'>,
  terms: BuyerTerms,
  now: Date,
) {
  if (terms.delivery.method !== 'WEBHOOK')
    throw invalidField('answer', 'not_allowed', 'answer is only for a WEBHOOK: no other is read.');
  const { verdict, by } = readPasted(answer, terms, now);
  const { result, reason, reference, price, notes = [], retry_after_ms } = verdict;
  const what = consequenceOf(result, terms, false);
  const isKept = result === 'not_taken' && terms.when_unavailable === 'WAIT';
  const lead = isKept ? 'waits' : what === 'next' ? 'next_buyer' : what;
  return {
    result,
    by,
    reason,
    reference,
    price: price === undefined ? undefined : fromMicros(price),
    notes,
    retry_after_ms,
    lead,
    message: messageOf(lead, verdict.result, fromMicros(price ?? terms.price)),
  } as const;
}

function messageOf(
  lead: 'sold' | 'next_buyer' | 'waits',
  result: 'accepted' | 'rejected' | 'not_taken' | 'unknown',
  price: number,
): string {
  if (lead === 'sold')
    return result === 'unknown'
      ? `Nobody can tell whether the buyer has it; its policy is to count that as a sale, for ${price}.`
      : `The lead is sold to this buyer for ${price}.`;
  if (lead === 'waits')
    return result === 'unknown'
      ? 'Nobody can tell whether the buyer has it: the lead stays with this buyer until that is known, or its time limit.'
      : 'The buyer cannot take it now: the lead waits for this buyer.';
  if (result === 'not_taken')
    return 'The buyer cannot take it now: the next buyer is asked, and if none takes it, the lead waits for this one.';
  const why =
    result === 'unknown'
      ? 'Nobody can tell whether the buyer has it; its policy is to go on'
      : 'The buyer refuses it';
  return `${why}: the next buyer is asked, and without one the lead is UNMATCHED.`;
}
