/** When a buyer that fails is left alone, and for how long. */
import { backoffMs, probeDelayMs } from './backoff.js';

/** What is known of a destination before the failures at hand. */
export interface DestinationHealth {
  /** Requests in a row that it did not take or answer. */
  failures: number;
  /** How often in a row it was paused. */
  pauses: number;
  /** When its present pause ends. */
  retry_at: Date | null;
}

export interface Pause {
  pauses: number;
  /** Nothing goes to the destination before then; null leaves that as it is. */
  open_until: Date | null;
  /** Its queue is not drained before then; null leaves that as it is. */
  retry_at: Date | null;
}

/** Failures in a row after which new leads pass a destination by. */
const BREAKER_THRESHOLD = 5;

/**
 * A pause per spell of failures, not per failed request: what fails while a destination rests (requests
 * that were under way, other processes) does not make the rest longer. Its own Retry-After always counts.
 * @param random from 0 to below 1
 */
export function pauseAfter(input: {
  before: DestinationHealth;
  /** Failed requests at hand, 1 or more. */
  failed: number;
  /** The longest Retry-After among them, in milliseconds; 0 is none. */
  askedMs: number;
  now: Date;
  random: number;
}): Pause {
  const { before, failed, askedMs, now, random } = input;
  const rests = before.retry_at !== null && before.retry_at > now;
  const pauses = rests ? Math.max(before.pauses, 1) : before.pauses + 1;
  const isBroken = before.failures + failed >= BREAKER_THRESHOLD;
  const openMs = Math.max(askedMs, isBroken ? probeDelayMs(pauses) : 0);
  const retryMs = Math.max(askedMs, rests ? 0 : backoffMs(pauses, random));
  const later = (ms: number): Date | null => (ms === 0 ? null : new Date(Number(now) + ms));
  return { pauses, open_until: later(openMs), retry_at: later(retryMs) };
}
