/** Whether a buyer may return a lead, in words for the buyer. */
import type { ReturnSettings } from '../../../account/buyers/returnsSchema.js';
import type { Sale } from '../../../leads/rules/lead.js';
import { findReturnRefusal } from '../../../outcomes/rules/returnRules.js';
import type { ReturnDoc } from '../../../outcomes/store/returnDocs.js';

interface Asked {
  limits: ReturnSettings;
  sale: Pick<Sale, 'at' | 'returned'>;
  /** Those of this sale. */
  returns: readonly Pick<ReturnDoc, 'state'>[];
  now: Date;
}

/** Null: only the remaining returns of its month can prevent it. */
export function whyNotReturned({ limits, sale, returns, now }: Asked): string | null {
  if (sale.returned) return 'It was returned already.';
  if (returns.some(({ state }) => state === 'requested')) return 'Its return is requested already.';
  if (findReturnRefusal(limits, sale, now) === null) return null;
  if (!limits.allowed) return 'Your terms do not allow returns.';
  return `It can be returned for ${String(limits.max_age_days)} days after the sale, which have passed.`;
}
