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

const REASONS: Readonly<Record<string, string>> = {
  suspected_bot: 'Suspected bot',
  filtered: 'Campaign filter',
  suppressed: 'Suppression list',
  supplier_capped: "Supplier's limit",
  no_buyer: 'No buyer took it',
  no_more_buyers: 'No further buyer',
  max_age: 'Waited too long',
  dropped: 'Dropped by an operator',
};

/** Why it ended; an unknown code of a later release as it is. */
export const reasonText = (reason: string | null): string =>
  reason === null ? '' : (new Map(Object.entries(REASONS)).get(reason) ?? reason);

export const RETURN_OPTIONS: readonly Option[] = [
  { value: 'bad_contact_info', label: 'Bad contact info' },
  { value: 'wrong_vertical', label: 'Wrong vertical' },
  { value: 'duplicate', label: 'Duplicate' },
  { value: 'tcpa_risk', label: 'Consent in doubt' },
  { value: 'out_of_service_area', label: 'Out of service area' },
  { value: 'other', label: 'Other' },
];
