/** How fast a queue is drained: requests at once, time to the next wave, and when an unsendable row is retried. */

export interface Pace {
  /** Requests sent at once, 1 or more. */
  wave: number;
  /** From the start of one wave to the start of the next, in milliseconds. */
  everyMs: number;
}

/** A wave is at most this fraction of a second's allowance, so that a buyer gets an even flow instead of bursts. */
const WAVES_A_SECOND = 10;

/**
 * Waves that never hold more than `maxConcurrent`, nor more than `maxPerSecond` (0.01 to 1,000; null is no limit) in
 * any second.
 */
export function paceOf(maxConcurrent: number, maxPerSecond: number | null): Pace {
  if (maxPerSecond === null) return { wave: maxConcurrent, everyMs: 0 };
  const wave = Math.max(1, Math.min(maxConcurrent, Math.floor(maxPerSecond / WAVES_A_SECOND)));
  const wavesASecond = wave === 1 ? maxPerSecond : Math.floor(maxPerSecond / wave);
  return { wave, everyMs: Math.ceil(1_000 / wavesASecond) };
}

/** Milliseconds until a row that cannot be sent, because its buyer has no room or is paused, is checked again. */
const NO_ROOM_MS = 60_000;
/** Of a long queue that cannot be sent, at most this many rows are checked per minute; the others wait longer. */
const PUT_OFF_A_MINUTE = 1_000;
/** But at most this many minutes. */
const MINUTES_MAX = 10;

/**
 * When a row that cannot be sent is checked again, in milliseconds from now: later the more rows there are, so that a
 * queue without any sendable row costs little at any length.
 * @param before rows that the same drain has put off so far
 */
export const putOffMs = (before: number): number =>
  NO_ROOM_MS * Math.min(MINUTES_MAX, 1 + Math.floor(before / PUT_OFF_A_MINUTE));
