import type { Log } from '../lib/log.js';
import { repeatInBackground } from '../lib/repeatInBackground.js';
import type { RollDeps } from './countBatches.js';
import { rollUp, rollUpPings } from './rollUp.js';

const ROLL_INTERVAL_MS = 2_000;
/** A turn ends after so long, in milliseconds; the next goes on. */
const TURN_MS = 1_500;

/**
 * Keeps the roll-ups up to date, a turn every two seconds. Any number of processes may; what one that died has
 * begun, another finishes.
 * @returns what ends it, when the turn that is under way is over
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
