/** Publishes changes of the account that were stored by a process that stopped before they were in the plans. */
import { findUnpublishedChanges } from '../plans/findUnpublishedChanges.js';
import type { Log } from '../../lib/log.js';
import type { AccountCollections } from '../store/collections.js';
import type { Clock } from '../../lib/clock.js';
import { workUntilDeadline } from '../../lib/workUntilDeadline.js';

/** Milliseconds, longer than publishing takes: a younger change is left to the process that is making it. */
const LEFT_MS = 5_000;
const PER_RUN = 200;

export interface AccountRepairDeps {
  clock: Clock;
  collections: AccountCollections;
  log: Pick<Log, 'error'>;
}

/** Publishes them. One that fails does not stop the others. Returns the number published. */
export async function publishUnpublished({
  collections,
  clock,
  log,
}: AccountRepairDeps): Promise<number> {
  const before = new Date(Number(clock.now()) - LEFT_MS);
  const left = await findUnpublishedChanges(collections, before, PER_RUN);
  return workUntilDeadline(left, {
    clock,
    async repair(change) {
      await change.publish();
      return 1;
    },
    failed(change, error) {
      log.error({ err: error, change: change.what }, 'a change of the account is not published');
      return change.putOff(clock.now());
    },
  });
}
