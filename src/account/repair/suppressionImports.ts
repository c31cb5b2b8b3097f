/** Imports of suppression lists that nobody continues: finished where their list is in force already, else given up. */
import type { Log } from '../../lib/log.js';
import type { Clock } from '../../lib/clock.js';
import { workUntilDeadline } from '../../lib/workUntilDeadline.js';
import type { AccountCollections } from '../store/collections.js';
import type { SuppressionImportDoc } from '../store/suppressionDocs.js';
import { clearEntries } from '../store/suppressions.js';
import { finishOpenImport } from '../suppression/imports.js';

/** A week: a person who was interrupted on a Friday still goes on where the file stopped. */
const LEFT_MS = 7 * 86_400_000;
const PER_RUN = 20;
/** Parts of a thousand entries deleted at once: fewer than fit in the seconds that a step of `reconcile` has. */
const PARTS = 20;

interface Deps {
  clock: Clock;
  collections: AccountCollections;
  log: Pick<Log, 'error'>;
}

/** Returns the number of imports that it finished, or began or continued to delete. */
export async function dropLeftImports({ collections, clock, log }: Deps): Promise<number> {
  const imports = collections.suppressionImports;
  const left = await imports
    .find({
      state: { $in: ['open', 'finishing', 'dropped'] },
      updated_at: { $lt: new Date(Number(clock.now()) - LEFT_MS) },
    })
    .sort({ updated_at: 1 })
    .limit(PER_RUN)
    .toArray();
  return workUntilDeadline(left, {
    clock,
    async repair(doc) {
      if (doc.swapped_at) await finishOpenImport({ collections, clock, orgId: doc.org_id }, doc);
      else await drop(doc);
      return 1;
    },
    async failed({ _id }, error) {
      log.error({ err: error, import: _id }, 'an import of a suppression list is not cleared up');
      // After the others, in the next run.
      await imports.updateOne({ _id }, { $set: { updated_at: clock.now() } });
    },
  });

  async function drop({ _id, next, replaces, list_id }: SuppressionImportDoc): Promise<void> {
    const { matchedCount } = await imports.updateOne(
      { _id, next, swapped_at: { $exists: false }, state: { $ne: 'done' } },
      { $set: { state: 'dropped' } },
    );
    if (matchedCount === 0) return;
    // Entries that were added to a list stay on it.
    const isClear = !replaces || (await clearEntries(collections.suppressions, list_id, PARTS));
    if (isClear) await imports.deleteOne({ _id });
  }
}
