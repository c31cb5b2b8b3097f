/** When a buyer that fails is left alone, and for how long. */
import type { BreakerState } from '../../../workflows/messages.js';
import { backoffMs, probeDelayMs } from './backoff.js';

/** What is known of a destination before the failures at hand. */
export interface DestinationHealth {
  /** How often in a row it was paused. */
  pauses: number;
  /** When its present pause ends. */
  retry_at: Date | null;
}

export interface Pause {
  pauses: number;
  /** Nothing goes to the destination before then, as it asked itself; null leaves that as it is. */
  open_until: Date | null;
  /** Nothing goes to it before then if so many failures in a row open its breaker. */
  broken_until: Date;
  /** Its queue is not drained before then; null leaves that as it is. */
  retry_at: Date | null;
}

/** Failures in a row that open a destination's breaker: new leads pass it by. */
export const BREAKER_THRESHOLD = 5;

/**
 * A pause per spell of failures, not per failed request: what fails while a destination rests (requests
 * that were under way, other processes) does not make the rest longer. Its own Retry-After always counts.
 * @param random from 0 to below 1
 */
export function pauseAfter(input: {
  before: DestinationHealth;
  /** The longest Retry-After among them, in milliseconds; 0 is none. */
  askedMs: number;
  now: Date;
  random: number;
}): Pause {
  const { before, askedMs, now, random } = input;
  const rests = before.retry_at !== null && before.retry_at > now;
  const pauses = rests ? Math.max(before.pauses, 1) : before.pauses + 1;
  const retryMs = Math.max(askedMs, rests ? 0 : backoffMs(pauses, random));
  const after = (ms: number): Date => new Date(Number(now) + ms);
  const later = (ms: number): Date | null => (ms === 0 ? null : after(ms));
  return {
    pauses,
    open_until: later(askedMs),
    broken_until: after(probeDelayMs(pauses)),
    retry_at: later(retryMs),
  };
}

/** @param health `paused_at` since when the breaker is not closed, `open_until` when its rest ends */
export function breakerState(
  health: { paused_at?: Date | null; open_until: Date | null } | undefined,
  now: Date,
): BreakerState {
  if (!health?.paused_at) return 'closed';
  return health.open_until !== null && health.open_until > now ? 'open' : 'half-open';
}

/** Until when nothing goes to a destination, in wall-clock milliseconds: past, or 0, when it does not rest. */
export const unavailableUntil = (
  health: { open_until: Date | null; retry_at: Date | null } | undefined,
): number => Math.max(Number(health?.open_until ?? 0), Number(health?.retry_at ?? 0));

/**
 * When a drain looks again, in wall-clock milliseconds. Who comes during a rest wakes nobody, and may be due when it
 * ends, whatever those that wait now are due: then it is the end of the rest.
 * @param dueAt of the first that waits; Infinity when none is to be sent
 */
export const nextCheckAt = (rest: number, dueAt: number, now: number): number =>
  rest > now ? rest : dueAt;
