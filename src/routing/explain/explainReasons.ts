/** Reason codes in words. A buyer's text is quoted. */
import type { DeliveryState } from '../../deliveries/store/deliveryDoc.js';
import type { SuspectReason } from '../../leads/rules/origin.js';
import type { ClosingReason } from '../../leads/rules/trail.js';
import { getOwn } from '../../lib/getOwn.js';

/** The reasons that ended a lead, or its further sales. */
export const CLOSING_CLAUSES: Record<ClosingReason, string> = {
  suspected_bot: 'its page suspects a bot',
  filtered: 'the filters of the campaign refuse it',
  suppressed: 'the person is on a suppression list',
  supplier_capped: 'a cap of the supplier was full',
  no_buyer: 'no eligible buyer accepted it',
  no_more_buyers: 'no other buyer accepted it',
  max_age: 'its time limit for the buyer passed',
  dropped: 'an operator ended its waiting',
};

/** Why the page of a funnel suspects a bot. */
export const SUSPECT_CLAUSES: Record<SuspectReason, string> = {
  honeypot: 'a hidden field was filled in',
  too_fast: 'it was submitted within three seconds',
  no_proof: 'its proof of work is invalid',
  reused_proof: 'its proof of work is that of another page',
};

/** The state of the delivery to a buyer when a lead was resumed. */
export const STATE_CLAUSES: Record<DeliveryState, string> = {
  sending: 'it was on its way to the buyer',
  parked: 'it was in the queue of the buyer',
  accepted: 'the buyer had accepted it',
  rejected: 'the buyer had refused it',
  failed: 'the buyer had not been reached',
  unknown: 'the buyer had been sent it and had not answered',
  abandoned: 'the buyer had not answered, and its policy is to continue',
  expired: 'its time limit for the buyer passed',
};

const SAID: Readonly<Record<string, string>> = {
  ...STATE_CLAUSES,
  kept_here: 'it is stored here for the buyer',
  assumed: 'its answer is assumed',
  resolved: 'an operator recorded it for the buyer',
  not_accepted_by_rule: "its answer does not meet the buyer's acceptance rule",
  unreadable_answer: 'its answer could not be read',
  no_answer_recorded: 'no answer was recorded',
  could_not_be_made: 'the delivery could not be attempted',
  not_taken: 'the buyer had not been reached',
  breaker_open: 'the buyer was in a cooldown after failed deliveries',
  closed: 'the buyer was closed',
  reference_ignored: 'its reference could not be used',
  price_ignored: 'its price could not be used',
  price_locked: 'the price of its bid applies, whatever its answer says',
};

/** Codes of deliveries that have a text. */
export const SAID_CODES = Object.keys(SAID);

/** A reason of a delivery: a code in words, or the buyer's words. Empty for none. */
export function said(reason: string | undefined): string {
  if (reason === undefined || reason === '') return '';
  return getOwn(SAID, reason) ?? `“${reason}”`;
}
