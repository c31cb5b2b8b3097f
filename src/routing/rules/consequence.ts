/** What an answer means for the lead, with the buyer's policy for unanswered requests. */
import type { DeliveryVerdict } from '../../deliveries/rules/delivery.js';
import type { BuyerTerms } from '../../account/rules/plan.js';

/**
 * sold: a sale. waits: the lead stays with this buyer, to be sent again or held until its status is known.
 * next: this buyer definitely does not have it, or its policy is to go on.
 */
export type Consequence = 'sold' | 'waits' | 'next';

/** @param again the lead has waited for this very buyer: it continues to wait if the buyer does not accept it */
export function consequenceOf(
  result: DeliveryVerdict['result'],
  { delivery }: Pick<BuyerTerms, 'delivery'>,
  again: boolean,
): Consequence {
  switch (result) {
    case 'accepted':
      return 'sold';
    case 'rejected':
      return 'next';
    case 'not_taken':
      return again ? 'waits' : 'next';
    case 'unknown':
      return ofUnknown(delivery);
  }
}

/** The same terms, except that a request that was never answered is not sent again, whatever the buyer declares. */
export const withoutKey = (terms: BuyerTerms): BuyerTerms => ({
  ...terms,
  delivery: { ...terms.delivery, honours_idempotency_key: false },
});

/** The same terms, with the policy at that time, by which the lead went on to the next buyer. */
export const goneOn = (terms: BuyerTerms): BuyerTerms => ({
  ...terms,
  delivery: { ...terms.delivery, honours_idempotency_key: false, on_unknown: 'fail_over' },
});

/** Sent again under the same key where that is safe; else the policy. */
function ofUnknown({ honours_idempotency_key, on_unknown }: BuyerTerms['delivery']): Consequence {
  if (honours_idempotency_key || on_unknown === 'hold') return 'waits';
  return on_unknown === 'assume_accepted' ? 'sold' : 'next';
}
