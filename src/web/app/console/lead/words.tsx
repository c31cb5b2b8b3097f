/** Names for the service's codes on the page of a lead. */
import {
  Banknote,
  Bot,
  CopyCheck,
  Filter,
  Flag,
  Gauge,
  Inbox,
  Radio,
  Route,
  Send,
  ShieldBan,
  type LucideIcon,
} from 'lucide-react';
import { badgeOf, type Option, type Tone, type Word } from '../../ui/index.js';
import type { OutputOf, RowOf } from '../../lib/useActions.js';

export type Lead = OutputOf<'get_lead'>;
export type Sale = Lead['sales'][number];
export type Explanation = OutputOf<'explain_lead'>;
export type Step = Explanation['steps'][number];
export type Delivery = RowOf<'list_deliveries'>;
export type Return = RowOf<'list_returns'>;
export type Outcome = NonNullable<Sale['outcome']>;

const STATUS: Record<Lead['status'], Word> = {
  NEW: ['New', 'info'],
  PENDING: ['Waiting', 'info'],
  ACCEPTED: ['Accepted', 'good'],
  UNMATCHED: ['Not sold', 'bad'],
  DUPLICATE: ['Duplicate', 'warning'],
  REJECTED: ['Rejected', 'bad'],
  EXPIRED: ['Expired', 'bad'],
  WITHDRAWN: ['Withdrawn', 'bad'],
  pending: ['Accepted', 'good'],
  converted: ['Converted', 'good'],
  not_qualified: ['Not qualified', 'warning'],
  expired: ['Accepted, no outcome', 'neutral'],
  RETURNED: ['Returned', 'warning'],
};
export const LeadStatus = badgeOf(STATUS);

/** The tone of what is said about a lead in this status. */
export const toneOf = ({ status }: Pick<Lead, 'status'>): Tone => STATUS[status][1];

const OPEN: readonly string[] = ['NEW', 'PENDING'];
/** It is not decided yet: what is shown may change at any moment. */
export const isOpen = ({ distribution_status }: Pick<Lead, 'distribution_status'>): boolean =>
  OPEN.includes(distribution_status);

const OUTCOME: Record<Outcome, Word> = {
  pending: ['Pending', 'neutral'],
  converted: ['Converted', 'good'],
  not_qualified: ['Not qualified', 'bad'],
  expired: ['No outcome in time', 'warning'],
};
export const OutcomeChip = badgeOf(OUTCOME);

/** What a person records; the service sets the outcome of a window that has ended. */
export const REPORTED: readonly Option[] = [
  { value: '', label: 'None' },
  { value: 'pending', label: 'Pending' },
  { value: 'converted', label: 'Converted' },
  { value: 'not_qualified', label: 'Not qualified' },
];

const DELIVERY: Record<Delivery['state'], Word> = {
  waiting: ['Waiting', 'info'],
  held: ['On hold', 'warning'],
  unknown: ['No answer', 'warning'],
  sending: ['Sending', 'info'],
  accepted: ['Accepted', 'good'],
  rejected: ['Refused', 'bad'],
  failed: ['Failed', 'bad'],
  abandoned: ['No answer, went on', 'warning'],
  expired: ['Expired', 'neutral'],
};
export const DeliveryState = badgeOf(DELIVERY);

const VERDICT: Record<Explanation['buyers'][number]['verdict'], Word> = {
  sold: ['Bought it', 'good'],
  waiting: ['Waiting', 'info'],
  refused: ['Refused', 'bad'],
  unavailable: ['Not reached', 'warning'],
  unanswered: ['No answer', 'warning'],
  passed_over: ['Passed over', 'neutral'],
  not_asked: ['Not asked', 'neutral'],
  undecided: ['Not asked yet', 'info'],
  not_linked: ['Not in the campaign', 'neutral'],
};
export const Verdict = badgeOf(VERDICT);

const RETURN: Record<Return['state'], Word> = {
  requested: ['Requested', 'warning'],
  accepted: ['Accepted', 'good'],
  rejected: ['Rejected', 'neutral'],
};
export const ReturnState = badgeOf(RETURN);

export const REASONS: Record<Return['reason'], string> = {
  bad_contact_info: 'Bad contact info',
  wrong_vertical: 'Wrong product',
  duplicate: 'Duplicate',
  tcpa_risk: 'No valid consent (TCPA)',
  out_of_service_area: 'Outside the service area',
  other: 'Other',
};
export const REASON_OPTIONS: Option[] = Object.entries(REASONS).map(([value, label]) => ({
  value,
  label,
}));

export const STEP_ICONS: Record<Step['step'], LucideIcon> = {
  received: Inbox,
  ping: Radio,
  origin: Bot,
  filters: Filter,
  suppression: ShieldBan,
  duplicates: CopyCheck,
  routing: Route,
  caps: Gauge,
  delivery: Send,
  closing: Flag,
  outcome: Banknote,
};

/** A step in a few words, for those who see no data of people; the tone is everybody's. */
const STEPS: ReadonlyMap<string, Word> = new Map([
  ['received valid', ['Received, and its fields are valid', 'neutral']],
  ['ping redeemed', ['Redeemed its ping', 'neutral']],
  ['ping differs', ['Differs from its ping', 'warning']],
  ['origin suspected', ['Its page suspects a bot', 'bad']],
  ['filters passed', ['Passed the filters of the campaign', 'neutral']],
  ['filters failed', ['Refused by the filters of the campaign', 'bad']],
  ['suppression passed', ['On no suppression list', 'neutral']],
  ['suppression matched', ['On a suppression list', 'bad']],
  ['duplicates duplicate', ['Repeats an earlier lead', 'bad']],
  ['duplicates routed', ['Repeats a lead; goes to its buyer', 'warning']],
  ['routing skipped', ['Passed over', 'warning']],
  ['routing ranked', ['Buyers put in order', 'neutral']],
  ['routing no_buyer', ['No buyer was eligible', 'bad']],
  ['routing turn', ['Chosen by turn', 'neutral']],
  ['caps full', ['A cap was full', 'warning']],
  ['caps lost', ['A later attempt has its place', 'neutral']],
  ['delivery accepted', ['Accepted', 'good']],
  ['delivery rejected', ['Refused', 'bad']],
  ['delivery not_taken', ['Not reached', 'warning']],
  ['delivery unknown', ['No answer', 'warning']],
  ['delivery resumed', ['Taken up again', 'neutral']],
  ['delivery retried', ['Sent again by an operator', 'info']],
  ['delivery held', ['Held by an operator', 'info']],
  ['delivery dropped', ['Dropped by an operator', 'info']],
  ['delivery resolved', ['Answer recorded by an operator', 'info']],
  ['closing ACCEPTED', ['Sold', 'good']],
  ['closing waiting', ['Waits', 'info']],
  ['closing UNMATCHED', ['Ended without a buyer', 'bad']],
  ['closing REJECTED', ['Ended: rejected', 'bad']],
  ['closing DUPLICATE', ['Ended as a duplicate', 'bad']],
  ['closing EXPIRED', ['Expired', 'bad']],
  ['outcome converted', ['Converted', 'good']],
  ['outcome pending', ['Outcome: pending', 'neutral']],
  ['outcome not_qualified', ['Not qualified', 'bad']],
  ['outcome expired', ['No outcome in time', 'neutral']],
  ['outcome updated', ['Details recorded', 'neutral']],
  ['outcome cleared', ['Outcome taken back', 'neutral']],
  ['outcome returned', ['Returned', 'warning']],
] as [string, Word][]);

export const stepWord = ({ step, result }: Step): Word =>
  STEPS.get(`${step} ${result}`) ?? [`${step}: ${result}`, 'neutral'];
