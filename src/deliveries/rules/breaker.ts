/** When a failing buyer is paused, and for how long. */
import type { BreakerState } from '../../../workflows/messages.js';
import { backoffMs } from './backoff.js';

/** The stored health of a destination before the current failures. */
export interface DestinationHealth {
  /** How often in a row it was paused. */
  pauses: number;
  /** When its present pause ends. */
  retry_at: Date | null;
}

export interface Pause {
  pauses: number;
  /** Nothing is sent to the destination before then, because it asked for that; null leaves that unchanged. */
  open_until: Date | null;
  /** Its queue is not drained before then; null leaves that unchanged. */
  retry_at: Date | null;
}

/** Failures in a row that open a destination's breaker: new leads skip it. */
export const BREAKER_THRESHOLD = 5;

/**
 * A pause per spell of failures, not per failed request: failures during a cooldown (of requests
 * that were in flight, in other processes) do not prolong it. A Retry-After always counts.
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
  const later = (ms: number): Date | null => (ms === 0 ? null : new Date(Number(now) + ms));
  return { pauses, open_until: later(askedMs), retry_at: later(retryMs) };
}

/** @param health `paused_at` since when the breaker is not closed, `open_until` when its cooldown ends */
export function breakerState(
  health: { paused_at?: Date | null; open_until: Date | null } | undefined,
  now: Date,
): BreakerState {
  if (!health?.paused_at) return 'closed';
  return health.open_until !== null && health.open_until > now ? 'open' : 'half-open';
}

/** End of a destination's cooldown, in wall-clock milliseconds: past, or 0, when there is none. */
export const unavailableUntil = (
  health: { open_until: Date | null; retry_at: Date | null } | undefined,
): number => Math.max(Number(health?.open_until ?? 0), Number(health?.retry_at ?? 0));
