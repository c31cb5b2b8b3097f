/** Keeps what reports are read from up to date, in any number of processes: each finishes what another has begun. */
import type { Log } from '../lib/log.js';
import type { RollDeps } from './countBatches.js';
import { advanceAttemptDays, enrollBuyers, type KeepDeps } from './keepAttemptDays.js';
import { rollUp, rollUpPings } from './rollUp.js';

const ROLL_INTERVAL_MS = 2_000;
const DAYS_INTERVAL_MS = 3_000;
/** Milliseconds into a turn after which nothing further is begun; the next turn continues. */
const ROLL_TURN_MS = 1_500;
const DAYS_TURN_MS = 2_500;
/** Milliseconds between searches for new buyers: until then their few attempts are counted. */
const ENROLL_INTERVAL_MS = 600_000;

/**
 * Counts changes into the roll-ups, and stores the attempts of past days.
 * @returns a function that stops it, and resolves when the current turns are over
 */
export function keepReports(deps: RollDeps & KeepDeps & { log: Log }): () => Promise<void> {
  const counted = (what: string, work: Promise<unknown>): Promise<unknown> =>
    work.catch((error: unknown) => deps.log.warn({ err: error }, `${what} could not be counted`));
  let enrolledAt = -Infinity;
  const keepAttemptDays = async () => {
    if (deps.clock.monotonic() - enrolledAt > ENROLL_INTERVAL_MS) {
      await enrollBuyers(deps);
      enrolledAt = deps.clock.monotonic();
    }
    await advanceAttemptDays(deps, { withinMs: DAYS_TURN_MS });
  };
  const stops = [
    repeat(ROLL_INTERVAL_MS, () =>
      Promise.all([
        counted('leads', rollUp(deps, { withinMs: ROLL_TURN_MS })),
        counted('pings', rollUpPings(deps, { withinMs: ROLL_TURN_MS })),
      ]),
    ),
    repeat(DAYS_INTERVAL_MS, () => counted('attempts of days that are over', keepAttemptDays())),
  ];
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}

/**
 * Repeats some work, never twice at once, and keeps no process running.
 * @param everyMs milliseconds from one beginning to the next; a turn that takes longer delays the next
 * @param work must not reject
 * @returns a function that stops it, and resolves when the current turn is over
 */
function repeat(everyMs: number, work: () => Promise<unknown>): () => Promise<void> {
  let turn: Promise<unknown> | null = null;
  const timer = setInterval(() => {
    turn ??= work().finally(() => (turn = null));
  }, everyMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await turn;
  };
}
