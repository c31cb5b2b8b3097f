/** How fast a queue is drained: how many at once, and how long until the next. */

export interface Pace {
  /** Sent at once, 1 or more. */
  wave: number;
  /** From the start of one wave to the start of the next, in milliseconds. */
  everyMs: number;
}

/** A wave is at most this part of a second's allowance, so that a buyer sees a flow and not a flood each second. */
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
