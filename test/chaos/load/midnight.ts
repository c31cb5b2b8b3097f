/** The midnight of a run: chosen when its accounts are made, so that it falls soon after the first leads are posted. */
import { setTimeout as delay } from 'node:timers/promises';
import { drawTurn, zoneWithMidnight, zoneWithNextMidnight, type Turn } from './calendar.js';
import type { Instant } from '../evidence/evidence.js';
import { createRandom } from '../prng.js';

export interface Midnight {
  at: Instant;
  /** Of the accounts that cross it. */
  timeZone: string;
  turn: Turn | 'the next day';
  /** From the first post to midnight, in milliseconds. */
  afterMs: number;
}

/** The accounts are made within this, and the receivers of their events. */
const OPENING_MS = 6_000;
/** As many leads are to wait before midnight as fill the caps of a day. */
const START_MIN_MS = 10_000;
const START_MAX_MS = 30_000;
/** Of a run's faults, this share is over by midnight at most. */
const LATEST_SHARE = 0.5;
/** The buyers stay busy for so long after midnight: the caps of the next day fill up. */
export const BUSY_AFTER_MS = 8_000;
/**
 * From ten minutes on, sums of reports are compared with the leads of their day, whose beginning is sought no further
 * from that of UTC than real zones are.
 */
const FREE_BELOW_S = 480;

/** By seed a midnight that begins a week or a month, too; a long run has that which comes next. */
export function midnightOf(
  { seed, seconds, turn }: { seed: string; seconds: number; turn?: Turn | undefined },
  now: Instant,
): Midnight {
  const random = createRandom(seed, 'midnight');
  const latest = Math.min(START_MAX_MS, seconds * 1_000 * LATEST_SHARE);
  const afterMs = random.between(START_MIN_MS, Math.max(START_MIN_MS, latest));
  // Whole seconds, as the offsets of these zones are.
  const at = Math.ceil((now + OPENING_MS + afterMs) / 1_000) * 1_000;
  if (seconds >= FREE_BELOW_S) {
    return { at, afterMs, turn: 'the next day', timeZone: zoneWithNextMidnight(at) };
  }
  const drawn = turn ?? drawTurn(random);
  return { at, afterMs, turn: drawn, timeZone: zoneWithMidnight(at, drawn) };
}

/** Where a cluster was open early, posting waits: midnight comes as long after it as was planned. */
export const untilPosting = ({ at, afterMs }: Midnight): Promise<void> =>
  delay(Math.max(0, at - afterMs - Date.now()));
