import { createBackground } from '../lib/background.js';
import type { Log } from '../lib/log.js';
import type { RepairWatch } from '../platform/temporal/repairWatch.js';
import type { LeadStarter } from '../distribution/starters.js';

const CHECK_INTERVAL_MS = 60_000;
const TIMEOUT_MS = 5_000;
/** A look that is under way has ended by then: the client may be about to try again when its limit is over. */
const END_MS = 12_000;

/**
 * Looks every minute whether `reconcile` is scheduled, and whether it gets anywhere: the schedule lives in Temporal, and
 * a Temporal store that was lost and made anew has forgotten it while this process went on.
 * @param everyMs another interval, for tests
 * @returns what ends it, and then waits for a look under way: a call that is tried again when the connection is closed
 *   would end the process
 */
export function keepSchedule(
  deps: {
    starter: Pick<LeadStarter, 'schedule'>;
    watch: Pick<RepairWatch, 'look' | 'warning'>;
    log: Log;
  },
  everyMs = CHECK_INTERVAL_MS,
): () => Promise<void> {
  const looks = createBackground();
  const timer = setInterval(() => {
    looks.add(
      deps.starter.schedule(Date.now() + TIMEOUT_MS).catch((error: unknown) => {
        deps.log.warn({ err: error }, 'Temporal could not be asked for the schedule of reconcile');
      }),
    );
    looks.add(
      deps.watch
        .look()
        .then(() => {
          const warning = deps.watch.warning();
          if (warning !== null) deps.log.warn(warning);
        })
        .catch((error: unknown) => {
          deps.log.warn({ err: error }, 'MongoDB could not be asked when reconcile was completed');
        }),
    );
  }, everyMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    return looks.idle(END_MS);
  };
}
