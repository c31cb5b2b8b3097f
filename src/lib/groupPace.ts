/**
 * How long a partial group waits for more items while others are in flight. A group costs far more than one more item in
 * it, so small groups side by side are waste, and the more so the slower the machine: the wait follows from the time that
 * groups take on it.
 */

/** The weight of the last group in the running mean: after ten groups, earlier ones count for a tenth. */
const LAST_GROUP_WEIGHT = 0.2;
/** With half of a group's time two partial groups are in flight: while one waits for a server, the other uses the processors. */
const WAIT_SHARE = 1 / 2;
/** The longest wait, as a share of the time that an item has: enough is left for the group itself, and for a retry. */
const LONGEST_WAIT_SHARE = 1 / 4;

/** What a partial group may start beside. */
export interface GroupLoad {
  inFlight: number;
  /** Running mean of the time of a group, in milliseconds. */
  meanMs: number;
  /** Milliseconds after its arrival at which the oldest item that waits is refused. */
  refusedAfterMs: number;
  /** The least wait in milliseconds, within the longest. */
  leastMs: number;
}

/** Milliseconds from the arrival of its oldest item until a partial group starts. */
export function partialWaitMs({ inFlight, meanMs, refusedAfterMs, leastMs }: GroupLoad): number {
  if (inFlight === 0) return 0;
  return Math.min(refusedAfterMs * LONGEST_WAIT_SHARE, Math.max(leastMs, meanMs * WAIT_SHARE));
}

/** The running mean after one more group. */
export const meanAfter = (meanMs: number, tookMs: number): number =>
  meanMs + LAST_GROUP_WEIGHT * (tookMs - meanMs);
