/** States of leads, and why they ended, in words. */
import type { OutputOf } from '../../lib/useActions.js';
import type { Option, Word } from '../../ui/index.js';

export type LeadRow = OutputOf<'get_leads'>['leads'][number];
type Status = LeadRow['status'];

export const STATUS_WORDS: Readonly<Record<Status, Word>> = {
  NEW: ['New', 'info'],
  PENDING: ['Pending', 'warning'],
  ACCEPTED: ['Accepted', 'good'],
  UNMATCHED: ['Unmatched', 'neutral'],
  DUPLICATE: ['Duplicate', 'neutral'],
  REJECTED: ['Rejected', 'bad'],
  EXPIRED: ['Expired', 'bad'],
  WITHDRAWN: ['Withdrawn', 'neutral'],
  pending: ['Outcome pending', 'good'],
  converted: ['Converted', 'good'],
  not_qualified: ['Not qualified', 'warning'],
  expired: ['No outcome in time', 'neutral'],
  RETURNED: ['Returned', 'warning'],
};

/** The statuses that a list is filtered by. */
export const STATUS_OPTIONS: readonly Option[] = (
  ['ACCEPTED', 'UNMATCHED', 'REJECTED', 'DUPLICATE', 'PENDING', 'EXPIRED'] as const
)
  .map((value): Option => ({ value, label: STATUS_WORDS[value][0] }))
  .concat(
    (['WITHDRAWN', 'NEW', 'RETURNED'] as const).map((value) => ({
      value,
      label: STATUS_WORDS[value][0],
    })),
  );

export const OUTCOME_OPTIONS: readonly Option[] = (
  ['pending', 'converted', 'not_qualified', 'expired'] as const
).map((value) => ({ value, label: STATUS_WORDS[value][0] }));

const REASONS: ReadonlyMap<string, string> = new Map([
  ['suspected_bot', 'Suspected bot'],
  ['filtered', 'Campaign filter'],
  ['suppressed', 'Suppression list'],
  ['supplier_capped', 'Supplier cap'],
  ['no_more_buyers', 'No further buyer'],
]);

/** Why no buyer got it, in the words of a cell. */
const UNSOLD: Readonly<Record<NonNullable<LeadRow['unsold_reason']>, string>> = {
  buyer_rejected: 'Buyer rejected it',
  buyer_unanswered: 'Buyer did not answer',
  buyer_not_reached: 'Buyer not reached',
  max_age: 'Waited too long',
  dropped: 'Dropped by an operator',
  buyer_cap: 'Buyer cap full',
  campaign_cap: 'Campaign cap full',
  buyer_closed: 'Buyer closed',
  no_bid: 'No buyer bid enough',
  buyer_suppressed: "Buyers' suppression lists",
  buyer_filters: "Buyers' filters",
  buyer_area: 'No buyer for its area',
  buyer_paused: 'Buyer paused',
  original_undecided: 'Repeats an undecided lead',
  no_buyer: 'No eligible buyer',
};

type Ended = Pick<LeadRow, 'reason' | 'unsold_reason'>;

/** Why it was not sold, or not sold further; an unknown code of a later release stays unchanged. */
export function reasonText({ reason, unsold_reason: unsold }: Ended): string {
  if (unsold !== null) return UNSOLD[unsold];
  return reason === null ? '' : (REASONS.get(reason) ?? reason);
}

export const RETURN_OPTIONS: readonly Option[] = [
  { value: 'bad_contact_info', label: 'Bad contact info' },
  { value: 'wrong_vertical', label: 'Wrong vertical' },
  { value: 'duplicate', label: 'Duplicate' },
  { value: 'tcpa_risk', label: 'Consent in doubt' },
  { value: 'out_of_service_area', label: 'Out of service area' },
  { value: 'other', label: 'Other' },
];
