/** Decisions on returns in words. */
import type { RowOf } from '../../lib/useActions.js';
import type { Option, Word } from '../../ui/index.js';
import type { BulkWords } from '../bulk/bulkDialog.js';

export type Return = RowOf<'list_returns'>;
export type Verdict = 'accept' | 'reject';

export const STATE_WORDS: Record<Return['state'], Word> = {
  requested: ['To decide', 'warning'],
  accepted: ['Accepted', 'good'],
  rejected: ['Rejected', 'bad'],
};

export const STATE_OPTIONS: readonly Option[] = [
  { value: 'requested', label: 'To decide' },
  { value: 'accepted', label: 'Accepted' },
  { value: 'rejected', label: 'Rejected' },
  { value: 'all', label: 'All' },
];

/** A decision that has begun, or was made here. */
export const DECIDED_WORDS: Record<Verdict, { now: string; then: Word; act: string }> = {
  accept: { now: 'Accepting…', then: ['Accepted', 'good'], act: 'Accept' },
  reject: { now: 'Rejecting…', then: ['Rejected', 'bad'], act: 'Reject' },
};

const returns = (count: string, isOne: boolean): string =>
  `${count} ${isOne ? 'return' : 'returns'}`;

const COMMON = {
  note: { max: 2_000, hint: 'The buyer sees it with each decision.' },
  cannot: {
    refused: 'were decided otherwise meanwhile',
    not_found: 'are gone',
    failed: 'could not be confirmed: check them, and repeat the decision',
  },
};

export const BULK_WORDS: Record<Verdict, BulkWords> = {
  accept: {
    ...COMMON,
    title: 'Accept returns',
    act: 'Accept',
    will: (...of) => `${returns(...of)} will be accepted`,
    did: (...of) => `${returns(...of)} accepted`,
    about:
      'Their sales bring no revenue any more. What the supplier gets, and whether the leads are sold again, is set for each buyer. This cannot be undone.',
  },
  reject: {
    ...COMMON,
    title: 'Reject returns',
    act: 'Reject',
    kind: 'danger',
    will: (...of) => `${returns(...of)} will be rejected`,
    did: (...of) => `${returns(...of)} rejected`,
    about: 'The sales stand, and the buyer pays for the leads. This cannot be undone.',
  },
};
