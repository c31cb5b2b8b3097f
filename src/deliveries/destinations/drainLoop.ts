/** One call of a destination's drain, whether it is a buyer with leads waiting or an automation with events. */
import type { DrainResult } from '../../../workflows/messages.js';
import type { Clock } from '../../lib/clock.js';
import type { DestinationStore } from '../store/destinations.js';

export interface DrainLoopDeps {
  clock: Pick<Clock, 'now'>;
  destinations: Pick<DestinationStore, 'begin' | 'sleep'>;
}

/** What one call may take: the time that it has, and whether its process goes on. */
export interface CallBudget {
  /** Whether the call may begin another batch. */
  inTime: () => boolean;
  /** Milliseconds left; negative once they are over. */
  leftMs: () => number;
}

/** What one wave did. */
export interface WaveResult {
  sent: number;
  /** Nothing more can be sent in this call. */
  isLast: boolean;
}

/** What still waits, as {@link DrainResult} has it. */
export type Remaining = Omit<DrainResult, 'sent'>;

export interface DrainSteps {
  /** Sends what is due now, as much as the destination bears at once. */
  sendWave: () => Promise<WaveResult>;
  /** What waits, and when the next of it is due. */
  whatIsLeft: () => Promise<Remaining>;
}

/** After a call that could send nothing of what is due, in milliseconds. */
const IDLE_MS = 1_000;

/**
 * Sends waves until one is the last or the time of the call is over. `awake` promises producers that a drain will
 * check the queue: it is cleared before the last check, so that a row which this call does not see wakes the
 * destination anew.
 */
export async function drainLoop(
  destinationId: string,
  { sendWave, whatIsLeft }: DrainSteps,
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
  const left = await whatIsLeft();
  // Rows that are due but cannot be touched now (another run has their leads) are no reason to spin.
  const soonestMs = sent === 0 ? IDLE_MS : 0;
  const nextInMs = left.nextInMs === null ? null : Math.max(left.nextInMs, soonestMs);
  return { ...left, nextInMs, sent };
}
