/**
 * What happens now to a lead or an event that waits for a destination. The drains of buyers and of automations, and a
 * lead's first run, decide it here.
 */
import type { BuyerTerms } from '../../account/rules/plan.js';
import type { DeliveryDoc } from '../store/deliveryDoc.js';
import type { DestinationDoc } from '../store/destinationDoc.js';
import { isOverdue, isStranded, mayBeAccepted } from './attempts.js';
import { unavailableUntil } from './breaker.js';

interface Send {
  kind: 'send';
}

/** Nothing is sent before `at`. */
interface Later<Reason extends string> {
  kind: 'later';
  at: Date;
  reason: Reason;
}

export type Choice =
  | Send
  | Later<string>
  /** Its buyer may have it and must not be sent it again: the buyer's policy for unanswered requests decides. */
  | { kind: 'stranded' }
  /** Another run has, or had, a part of its lead in hand, and settles it; a row is checked again at `at`. */
  | { kind: 'left'; at?: Date };

const SEND: Send = { kind: 'send' };

/** Whether a destination may be sent anything now: in a first run, and for the rows of its queue. */
export function chooseDestination(
  { opensAt, restsUntil }: { opensAt?: Date | null; restsUntil?: Date | null },
  now: Date,
): Send | Later<'closed' | 'breaker_open'> {
  if (opensAt) return { kind: 'later', at: opensAt, reason: 'closed' };
  if (restsUntil && restsUntil > now)
    return { kind: 'later', at: restsUntil, reason: 'breaker_open' };
  return SEND;
}

/**
 * A held queue is checked this often, in milliseconds: rows that arrive meanwhile wake no drain, and may end sooner
 * than those that were there.
 */
const HELD_POLL_INTERVAL_MS = 30_000;

/** Whether a drain sends anything from the queue of its destination now. */
export function chooseQueue(
  destination: DestinationDoc | undefined,
  now: Date,
): Send | Later<'held' | 'closed' | 'breaker_open'> {
  // A row that an operator asks for is sent even while the queue is held.
  const isHeld = destination?.held === true && (destination.asked ?? []).length === 0;
  if (isHeld)
    return { kind: 'later', at: new Date(Number(now) + HELD_POLL_INTERVAL_MS), reason: 'held' };
  return chooseDestination({ restsUntil: new Date(unavailableUntil(destination)) }, now);
}

/** A row of a buyer's queue whose lead a drain has acquired. */
export interface WaitingRow {
  row: DeliveryDoc;
  /** All rows of its lead. */
  rows: readonly DeliveryDoc[];
  /** The buyer's terms in the lead's plan, and now. */
  planned: BuyerTerms;
  current: BuyerTerms;
  /** Why the buyer must not have the lead at present. */
  barredBy: string | undefined;
  /** When the buyer opens; null when it is open. */
  opensAt: Date | null;
  /** When a row is checked again for which no other time is known. */
  checkAt: Date;
}

/** What a buyer's drain does with a row, as far as the row decides it: caps and the size of a wave come after. */
export function chooseRow(waiting: WaitingRow, now: Date): Choice {
  const { row, rows, planned, current, barredBy, opensAt, checkAt } = waiting;
  const others = rows.filter(({ _id }) => _id !== row._id);
  const at = opensAt ?? checkAt;
  // The run that opened the attempt is gone: the lead is resumed when its lease ends, which settles both.
  if (others.some((other) => isOverdue(other, now))) return { kind: 'left', at };
  if (others.some(mayBeAccepted)) return { kind: 'later', at, reason: 'open_elsewhere' };
  if (isStranded(row, planned.delivery, current.delivery)) return { kind: 'stranded' };
  if (barredBy !== undefined) return { kind: 'later', at, reason: barredBy };
  return chooseDestination({ opensAt }, now);
}

/** @param ahead the first earlier event of its lead that still waits and is not due */
export function chooseEvent(ahead: { due_at: Date; run?: string } | undefined): Choice {
  if (!ahead) return SEND;
  // It is being sent now, which ends in a moment.
  if (ahead.run !== undefined) return { kind: 'left' };
  // Right after it: however many are due at the same moment, it is read before them.
  return { kind: 'later', at: new Date(Number(ahead.due_at) + 1), reason: 'event_ahead' };
}
