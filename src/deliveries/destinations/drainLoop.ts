/** One call of a destination's drain, whether it is a buyer with leads waiting or an automation with events. */
import type { DrainResult } from '../../../workflows/messages.js';
import type { Clock } from '../../lib/clock.js';
import type { DestinationStore } from '../store/destinations.js';

export interface DrainLoopDeps {
  clock: Pick<Clock, 'now'>;
  destinations: Pick<DestinationStore, 'begin' | 'sleep'>;
}

/** The limits of one call: its time, and whether its process is stopping. */
export interface CallBudget {
  /** Whether the call may begin another batch. */
  inTime: () => boolean;
  /** Milliseconds left; negative once they are over. */
  leftMs: () => number;
}

/** The result of one wave. */
export interface WaveResult {
  sent: number;
  /** Nothing more can be sent in this call. */
  isLast: boolean;
}

/** What still waits, in the form of {@link DrainResult}. */
export type Remaining = Omit<DrainResult, 'sent'>;

export interface DrainSteps {
  /** Sends what is due now, as much as the destination accepts at once. */
  sendWave: () => Promise<WaveResult>;
  /** Returns what waits, and when the next of it is due. */
  readRemaining: () => Promise<Remaining>;
}

/** Milliseconds after a call that could send nothing of what is due. */
const IDLE_MS = 1_000;

/**
 * Sends waves until one is the last or the time of the call is over. `awake` promises producers that a drain will
 * check the queue: it is cleared before the last check, so that a row which this call does not see wakes the
 * destination anew.
 */
export async function drainLoop(
  destinationId: string,
  { sendWave, readRemaining }: DrainSteps,
  budget: CallBudget,
  { clock, destinations }: DrainLoopDeps,
): Promise<DrainResult> {
  await destinations.begin(destinationId, clock.now());
  let sent = 0;
  while (budget.inTime()) {
    const wave = await sendWave();
    sent += wave.sent;
    if (wave.isLast) break;
  }
  await destinations.sleep(destinationId);
  const left = await readRemaining();
  // Rows that are due but belong to leads of another run must not make the drain spin.
  const soonestMs = sent === 0 ? IDLE_MS : 0;
  const nextInMs = left.nextInMs === null ? null : Math.max(left.nextInMs, soonestMs);
  return { ...left, nextInMs, sent };
}
