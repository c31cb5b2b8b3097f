/** Opening hours that change within minutes, so that a run sees buyers open and close. */
import type { ScheduleWindowInput } from '../../../src/fields/scheduleSchema.js';
import { WEEKDAYS } from '../../../src/fields/days.js';
import type { Instant, Span } from '../evidence/evidence.js';

export interface Hours {
  /** As an account in UTC stores it. */
  schedule: ScheduleWindowInput[];
  /** The same as instants. */
  spans: Span[];
}

const MINUTE_MS = 60_000;
/** A cluster needs time to open; no buyer opens before, in milliseconds. */
const CLOSED_AT_FIRST_MS = 25_000;
/** How often a buyer closes again; then it stays open. */
const ROUNDS = 20;
/** All of it ends this long after it began, so that it is over before the next day's begins, in milliseconds. */
const ENDS_AFTER_MS = 12 * 60 * MINUTE_MS;

/**
 * Closed when the run begins, alternately open and closed from a full minute on, and open in the end.
 * @param minutes how long each open and each closed period lasts
 */
export function inTurns(now: Instant, minutes: number): Hours {
  const first = Math.ceil((now + CLOSED_AT_FIRST_MS) / MINUTE_MS) * MINUTE_MS;
  const length = minutes * MINUTE_MS;
  const rounds = Array.from({ length: ROUNDS }, (_, round): Span => {
    const from = first + round * 2 * length;
    return { from, to: from + length };
  });
  const last = { from: first + ROUNDS * 2 * length, to: first + ENDS_AFTER_MS };
  const spans = [...rounds, last];
  return {
    spans,
    schedule: spans.map(({ from, to }) => ({
      days: [...WEEKDAYS],
      from: timeOfDay(from),
      to: timeOfDay(to),
    })),
  };
}

const timeOfDay = (at: Instant): string => new Date(at).toISOString().slice(11, 16);
