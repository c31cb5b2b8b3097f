/** Changes of the account that were stored, and whose author was stopped before they were in the plans. */
import { findUnpublishedChanges } from '../plans/findUnpublishedChanges.js';
import type { Log } from '../../lib/log.js';
import type { AccountCollections } from '../store/collections.js';
import type { Clock } from '../../lib/clock.js';
import { workUntilDeadline } from '../../lib/workUntilDeadline.js';

/** Longer than publishing takes, in milliseconds: a change that is being made is left to the process that makes it. */
const LEFT_MS = 5_000;
const PER_RUN = 200;

export interface AccountRepairDeps {
  clock: Clock;
  collections: AccountCollections;
  log: Pick<Log, 'error'>;
}

/** Publishes them. One that cannot be published stops none of the others. Returns how many were. */
export async function publishUnpublished({
  collections,
  clock,
  log,
}: AccountRepairDeps): Promise<number> {
  const before = new Date(Number(clock.now()) - LEFT_MS);
  const left = await findUnpublishedChanges(collections, before, PER_RUN);
  return workUntilDeadline(left, clock, async (change) => {
    try {
      await change.publish();
      return 1;
    } catch (error) {
      log.error({ err: error, change: change.what }, 'a change of the account is not published');
      await change.putOff(clock.now());
      return 0;
    }
  });
}
