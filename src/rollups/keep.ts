import type { Log } from '../log.js';
import { rollUp, type RollDeps } from './roll.js';

const EVERY_MS = 2_000;
/** A turn ends after so long, in milliseconds; the next goes on. */
const TURN_MS = 1_500;

/**
 * Keeps the roll-ups up to date, a turn every two seconds. Any number of processes may; what one that died has
 * begun, another finishes.
 * @returns what ends it, when the turn that is under way is over
 */
export function keepRollups(deps: RollDeps & { log: Log }): () => Promise<void> {
  let turn: Promise<unknown> | null = null;
  const timer = setInterval(() => {
    turn ??= rollUp(deps, { withinMs: TURN_MS })
      .catch((error: unknown) => deps.log.warn({ err: error }, 'leads could not be counted'))
      .finally(() => (turn = null));
  }, EVERY_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await turn;
  };
}
