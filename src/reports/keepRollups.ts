import type { Log } from '../lib/log.js';
import { repeatInBackground } from '../lib/repeatInBackground.js';
import type { RollDeps } from './countBatches.js';
import { rollUp, rollUpPings } from './rollUp.js';

const ROLL_INTERVAL_MS = 2_000;
/** Milliseconds after which a turn ends; the next one continues. */
const TURN_MS = 1_500;

/**
 * Keeps the roll-ups up to date, a turn every two seconds, in any number of processes: another process finishes what
 * one that died has begun.
 * @returns a function that stops it, and resolves when the current turn is over
 */
export function keepRollups(deps: RollDeps & { log: Log }): () => Promise<void> {
  const counted = (what: string, work: Promise<unknown>): Promise<unknown> =>
    work.catch((error: unknown) => deps.log.warn({ err: error }, `${what} could not be counted`));
  return repeatInBackground(ROLL_INTERVAL_MS, () =>
    Promise.all([
      counted('leads', rollUp(deps, { withinMs: TURN_MS })),
      counted('pings', rollUpPings(deps, { withinMs: TURN_MS })),
    ]),
  );
}
