/** The midnight of a run: chosen when its accounts are created, so that it falls soon after the first leads. */
import { setTimeout as delay } from 'node:timers/promises';
import { drawTurn, zoneWithMidnight, zoneWithNextMidnight, type Turn } from './calendar.js';
import type { Instant } from '../evidence/evidence.js';
import { createRandom } from '../prng.js';

export interface Midnight {
  at: Instant;
  /** The time zone of the accounts that cross it. */
  timeZone: string;
  turn: Turn | 'the next day';
  /** From the first post to midnight, in milliseconds. */
  afterMs: number;
}

/** The accounts, and the receivers of their events, are created within this time. */
const OPENING_MS = 6_000;
/** Enough leads must wait before midnight to fill the caps of a day. */
const START_MIN_MS = 10_000;
const START_MAX_MS = 30_000;
/** At most this share of a run's faults is over by midnight. */
const LATEST_SHARE = 0.5;
/** The buyers stay busy this long after midnight: the caps of the next day fill up. */
export const BUSY_AFTER_MS = 8_000;
/**
 * In runs of ten minutes or more, report sums are compared with the leads of their day, whose beginning is searched
 * for only within the UTC offsets of real zones.
 */
const FREE_BELOW_S = 480;

/** The seed may choose a midnight that also begins a week or a month; a long run takes the next one. */
export function midnightOf(
  { seed, seconds, turn }: { seed: string; seconds: number; turn?: Turn | undefined },
  now: Instant,
): Midnight {
  const random = createRandom(seed, 'midnight');
  const latest = Math.min(START_MAX_MS, seconds * 1_000 * LATEST_SHARE);
  const afterMs = random.between(START_MIN_MS, Math.max(START_MIN_MS, latest));
  // Whole seconds, like the offsets of these zones.
  const at = Math.ceil((now + OPENING_MS + afterMs) / 1_000) * 1_000;
  if (seconds >= FREE_BELOW_S) {
    return { at, afterMs, turn: 'the next day', timeZone: zoneWithNextMidnight(at) };
  }
  const drawn = turn ?? drawTurn(random);
  return { at, afterMs, turn: drawn, timeZone: zoneWithMidnight(at, drawn) };
}

/** If a cluster opened early, posting waits: midnight comes as long after it as planned. */
export const untilPosting = ({ at, afterMs }: Midnight): Promise<void> =>
  delay(Math.max(0, at - afterMs - Date.now()));
