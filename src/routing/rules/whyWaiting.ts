/** Why a delivery waits, until when, and what an operator can do about it. */
import type { BuyerTerms } from '../../account/rules/plan.js';
import {
  CAP_WINDOWS,
  spanOf,
  type CapScope,
  type CapWindow,
  type LimitKey,
} from '../../account/rules/capLimits.js';
import { isOverdue } from '../../deliveries/rules/attempts.js';
import type { DeliveryDoc } from '../../deliveries/store/deliveryDoc.js';
import type { DestinationDoc } from '../../deliveries/store/destinationDoc.js';
import { findOpening } from './nextBuyer.js';

/** In the order in which they are looked for; the first that applies is the reason. */
export const WAIT_CODES = [
  ...(['being_sent', 'no_answer_recorded', 'unanswered', 'time_limit_passed'] as const),
  ...(['asked_for', 'held', 'queue_held'] as const),
  ...(['breaker_open', 'retry_after', 'backing_off', 'paced'] as const),
  ...(['not_linked', 'buyer_paused', 'paused_in_campaign', 'test_mode_only', 'live_only'] as const),
  ...(['outside_hours', 'cap_full', 'checked_later', 'probing', 'due'] as const),
] as const;
export type WaitCode = (typeof WAIT_CODES)[number];

/** What an operator can do with a delivery. */
export type WaitCommand = 'retry' | 'hold' | 'drop' | 'resolve';

export interface Wait {
  code: WaitCode;
  /** A sentence. */
  text: string;
  /** Null: not known, or not before an operator decides. */
  until: Date | null;
}

/** The buyer of a delivery as it is now, in the delivery's campaign. */
export interface TermsOfWait extends Pick<BuyerTerms, 'schedule' | 'when_closed' | 'test_mode'> {
  isBuyerPaused: boolean;
  isLinkPaused: boolean;
}

/** A cap or budget without room for the delivery. */
export interface FullWindow {
  scope: CapScope;
  limit: LimitKey;
  resets_at: Date | null;
}

type Row = Pick<
  DeliveryDoc,
  '_id' | 'state' | 'answer_by' | 'due_at' | 'held' | 'expires_at' | 'reserved' | 'reason'
>;
type Destination = Pick<
  DestinationDoc,
  'failures' | 'open_until' | 'retry_at' | 'paused_at' | 'held' | 'asked'
>;

export interface WaitFacts {
  row: Row;
  /** Absent: nothing was ever sent to the buyer from its queue. */
  destination: Destination | undefined;
  /** Absent: the buyer is no longer in the campaign. */
  terms: TermsOfWait | undefined;
  full: FullWindow | null;
  timeZone: string;
}

/** Null for a delivery that has ended. */
export function findWait(facts: WaitFacts, now: Date): Wait | null {
  const { row } = facts;
  if (row.state === 'sending')
    return isOverdue(row, now)
      ? wait('no_answer_recorded', 'It was sent, and no answer is recorded: it becomes unknown.')
      : wait('being_sent', 'It is being sent to the buyer now.', row.answer_by);
  if (row.state === 'unknown')
    return wait(
      'unanswered',
      'It was sent and never answered: the buyer may have it, so it is not sent again. Ask the buyer, then resolve it.',
      row.expires_at,
    );
  if (row.state !== 'parked') return null;
  return (
    ofOperator(facts, now) ?? ofDestination(facts, now) ?? ofTerms(facts, now) ?? ofRow(facts, now)
  );
}

const wait = (code: WaitCode, text: string, until: Date | null = null): Wait => ({
  code,
  text,
  until,
});

function ofOperator({ row, destination }: WaitFacts, now: Date): Wait | null {
  if (row.expires_at <= now)
    return wait('time_limit_passed', 'Its time limit has passed: it ends at the next check.');
  if (destination?.asked?.includes(row._id))
    return wait('asked_for', 'An operator has asked for it: it is sent before any other.');
  if (row.held) return wait('held', 'An operator holds it: it is sent when it is retried.');
  if (destination?.held)
    return wait(
      'queue_held',
      'An operator holds the queue of the buyer: it is sent when the queue is retried.',
    );
  return null;
}

function ofDestination({ destination }: WaitFacts, now: Date): Wait | null {
  if (!destination) return null;
  const { open_until, retry_at, paused_at, failures } = destination;
  if (open_until && open_until > now) {
    const until = retry_at && retry_at > open_until ? retry_at : open_until;
    return paused_at
      ? wait('breaker_open', `${failedTexts(failures)}: its breaker is open.`, until)
      : wait('retry_after', 'The buyer has asked to be sent nothing for some time.', until);
  }
  if (!retry_at || retry_at <= now) return null;
  return failures > 0
    ? wait('backing_off', `${failedTexts(failures)}: its queue pauses.`, retry_at)
    : wait('paced', 'The queue keeps the pace that is set for the buyer.', retry_at);
}

const failedTexts = (failures: number): string =>
  failures === 1
    ? 'The latest request to the buyer failed'
    : `The latest ${failures} requests to the buyer failed`;

function ofTerms({ row, terms, full, timeZone }: WaitFacts, now: Date): Wait | null {
  if (!terms) return wait('not_linked', 'The buyer is no longer in the campaign.');
  const isTest = row.reserved === null;
  if (terms.isBuyerPaused) return wait('buyer_paused', 'The buyer is paused.');
  if (terms.isLinkPaused)
    return wait('paused_in_campaign', 'The buyer is paused in this campaign.');
  if (terms.test_mode && !isTest)
    return wait('test_mode_only', 'The buyer is in test mode and accepts test leads only.');
  if (!terms.test_mode && isTest)
    return wait('live_only', 'The buyer is not in test mode, and this is a test lead.');
  // Whatever the buyer does with new leads while it is closed: this one waits for it.
  const opensAt = findOpening({ ...terms, when_closed: 'HOLD' }, now, timeZone);
  if (opensAt) return wait('outside_hours', 'The buyer is closed now.', opensAt);
  if (!full || isTest) return null;
  return wait(
    'cap_full',
    `${OWNERS[full.scope]} has no room left: ${nameOf(full.limit)}.`,
    full.resets_at,
  );
}

const OWNERS: Record<CapScope, string> = {
  buyer: 'The buyer',
  supplier: 'The supplier',
  campaign: 'The campaign',
};

/** Such as "the cap of a day is full". */
const nameOf = (limit: LimitKey): string => {
  const isBudget = limit.endsWith('_budget');
  return `the ${isBudget ? 'budget' : 'cap'} of ${spanOf(windowOf(limit))} is ${isBudget ? 'spent' : 'full'}`;
};

/** The window that a limit is for. */
export const windowOf = (limit: LimitKey): CapWindow =>
  CAP_WINDOWS.find(({ cap, budget }) => cap === limit || budget === limit)?.window ?? 'total';

function ofRow({ row, destination }: WaitFacts, now: Date): Wait {
  if (row.due_at && row.due_at > now)
    return wait('checked_later', 'It could not be sent when it was checked last.', row.due_at);
  if (destination?.paused_at)
    return wait('probing', 'The buyer is tried again, one delivery at a time, until it answers.');
  return wait('due', 'It is sent next, newest first.');
}

/** Only an operator, or a change of the account, ends these. */
const WITHOUT_NEXT_TRY: readonly WaitCode[] = [
  ...(['being_sent', 'no_answer_recorded', 'unanswered', 'time_limit_passed'] as const),
  ...(['held', 'queue_held', 'not_linked', 'buyer_paused'] as const),
  ...(['paused_in_campaign', 'test_mode_only', 'live_only'] as const),
];

/** When it may be sent at the earliest; null where that is not known. */
export function nextTry(
  { code, until }: Wait,
  { due_at }: Pick<Row, 'due_at'>,
  now: Date,
): Date | null {
  if (WITHOUT_NEXT_TRY.includes(code)) return null;
  return new Date(
    Math.max(Number(now), Number(until ?? 0), code === 'asked_for' ? 0 : Number(due_at ?? 0)),
  );
}

const COMMANDS: Partial<Record<WaitCode, WaitCommand[]>> = {
  being_sent: [],
  no_answer_recorded: ['resolve'],
  unanswered: ['resolve', 'drop'],
  time_limit_passed: ['drop'],
  held: ['retry', 'drop'],
};

/** The commands that a delivery accepts. */
export const commandsFor = ({ code }: Pick<Wait, 'code'>): WaitCommand[] =>
  COMMANDS[code] ?? ['retry', 'hold', 'drop'];
