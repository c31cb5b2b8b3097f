import type { Log } from '../log.js';
import type { LeadStarter } from './starters.js';

const EVERY_MS = 60_000;
const LIMIT_MS = 5_000;

/**
 * Looks every minute whether `reconcile` is scheduled: the schedule lives in Temporal, and a Temporal store
 * that was lost and made anew has forgotten it while this process went on.
 * @returns what ends it
 */
export function keepSchedule(deps: {
  starter: Pick<LeadStarter, 'schedule'>;
  log: Log;
}): () => void {
  const timer = setInterval(() => {
    deps.starter.schedule(Date.now() + LIMIT_MS).catch((error: unknown) => {
      deps.log.warn({ err: error }, 'Temporal could not be asked for the schedule of reconcile');
    });
  }, EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
