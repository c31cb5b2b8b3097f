import type { Log } from '../log.js';
import type { RepairWatch } from './repairWatch.js';
import type { LeadStarter } from './starters.js';

const EVERY_MS = 60_000;
const LIMIT_MS = 5_000;

/**
 * Looks every minute whether `reconcile` is scheduled, and whether it gets anywhere: the schedule lives in Temporal, and
 * a Temporal store that was lost and made anew has forgotten it while this process went on.
 * @returns what ends it
 */
export function keepSchedule(deps: {
  starter: Pick<LeadStarter, 'schedule'>;
  watch: Pick<RepairWatch, 'look' | 'warning'>;
  log: Log;
}): () => void {
  const timer = setInterval(() => {
    deps.starter.schedule(Date.now() + LIMIT_MS).catch((error: unknown) => {
      deps.log.warn({ err: error }, 'Temporal could not be asked for the schedule of reconcile');
    });
    deps.watch
      .look()
      .then(() => {
        const warning = deps.watch.warning();
        if (warning !== null) deps.log.warn(warning);
      })
      .catch((error: unknown) => {
        deps.log.warn({ err: error }, 'MongoDB could not be asked when reconcile was completed');
      });
  }, EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
