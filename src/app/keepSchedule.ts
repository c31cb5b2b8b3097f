import { createBackground } from '../lib/background.js';
import type { Log } from '../lib/log.js';
import type { RepairWatch } from '../platform/temporal/repairWatch.js';
import type { LeadStarter } from '../distribution/starters.js';

const CHECK_INTERVAL_MS = 60_000;
const TIMEOUT_MS = 5_000;
/** A check in flight has completed by then: its client may be about to retry when its time limit passes. */
const END_MS = 12_000;

/**
 * Checks every minute that `reconcile` is scheduled and makes progress: the schedule lives in Temporal, and
 * a Temporal store that was lost and recreated has forgotten it while this process went on.
 * @param everyMs another interval, for tests
 * @returns a function that stops it, and then waits for a check in flight: a call retried after the connection is
 *   closed would end the process
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
        deps.log.warn({ err: error }, 'the schedule of reconcile could not be read from Temporal');
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
          deps.log.warn(
            { err: error },
            'the time of the last reconcile could not be read from MongoDB',
          );
        }),
    );
  }, everyMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    return looks.idle(END_MS);
  };
}
