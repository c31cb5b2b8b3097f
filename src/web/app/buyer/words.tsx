/** Names for the service's codes on the screens of a buyer. */
import type { ReactNode } from 'react';
import { Badge, badgeOf, WordBadge, type Option, type Tone, type Word } from '../ui/index.js';
import type { Attempt, Change, Outcome, ReturnState, Sale } from './calls.js';

const SALE: Record<Sale['status'], Word> = {
  sold: ['Sold', 'neutral'],
  return_requested: ['Return requested', 'warning'],
  returned: ['Returned', 'info'],
};

const OUTCOME: Record<Outcome, Word> = {
  pending: ['Pending', 'neutral'],
  converted: ['Converted', 'good'],
  not_qualified: ['Not qualified', 'bad'],
  expired: ['Expired', 'warning'],
};

const ATTEMPT: Record<Attempt['state'], Word> = {
  accepted: ['Accepted', 'good'],
  rejected: ['Rejected', 'warning'],
  failed: ['Failed', 'bad'],
  waiting: ['Waiting', 'info'],
  unanswered: ['Unanswered', 'bad'],
  abandoned: ['Abandoned', 'neutral'],
  expired: ['Expired', 'neutral'],
};

const RETURN: Record<ReturnState, Word> = {
  requested: ['Pending', 'warning'],
  accepted: ['Accepted', 'good'],
  rejected: ['Rejected', 'bad'],
};

const CHANGE: Record<Change['state'], Word> = {
  pending: ['Pending', 'warning'],
  approved: ['Approved', 'good'],
  refused: ['Refused', 'bad'],
  stale: ['Out of date', 'neutral'],
  withdrawn: ['Withdrawn', 'neutral'],
};

const REASON: Record<string, string> = {
  bad_contact_info: 'Bad contact info',
  wrong_vertical: 'Wrong product',
  duplicate: 'Duplicate',
  tcpa_risk: 'No valid consent (TCPA)',
  out_of_service_area: 'Outside the service area',
  other: 'Other',
};

/** The entries of a list of words as the options of a control. */
const optionsOf = (words: Record<string, Word | string>): Option[] =>
  Object.entries(words).map(([value, word]) => ({
    value,
    label: typeof word === 'string' ? word : word[0],
  }));

const ANY: Option = { value: '', label: 'Any' };
export const SALE_OPTIONS = [ANY, ...optionsOf(SALE)];
export const OUTCOME_OPTIONS = [ANY, { value: 'none', label: 'None yet' }, ...optionsOf(OUTCOME)];
export const ATTEMPT_OPTIONS = [ANY, ...optionsOf(ATTEMPT)];
export const RETURN_OPTIONS = [ANY, ...optionsOf(RETURN)];
export const CHANGE_OPTIONS = optionsOf(CHANGE);
export const REASON_OPTIONS = optionsOf(REASON);
/** The outcomes that a buyer reports; the service sets the one of a closed conversion window. */
export const REPORTED_OPTIONS = optionsOf(OUTCOME).filter(({ value }) => value !== 'expired');

export const reasonName = (reason: string): string => REASON[reason] ?? reason;

export const SaleStatus = badgeOf(SALE);
export const AttemptState = badgeOf(ATTEMPT);
export const toneOfAttempt = (state: Attempt['state']): Tone => ATTEMPT[state][1];
export const ReturnStatus = badgeOf(RETURN);
export const ChangeStatus = badgeOf(CHANGE);
export const OutcomeName = ({ of }: { of: Outcome | null }): ReactNode =>
  of === null ? <span className="muted">None yet</span> : <WordBadge of={OUTCOME[of]} />;

/** Marks a lead of the test mode at a glance: it is no person, and it costs nothing. */
export const TestMark = (): ReactNode => <Badge tone="warning">TEST</Badge>;
