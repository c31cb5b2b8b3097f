/**
 * Leads stored without their test flag.
 * @until 0.3
 */
import type { Clock } from '../../lib/clock.js';
import type { RepairStore } from '../../platform/mongo/repairs.js';
import { OVERLAP_MS } from '../../platform/mongo/stagedRepair.js';
import type { AccountCollections } from '../../account/store/collections.js';
import type { LeadCollections } from '../store/collections.js';

export interface TestFlagDeps {
  clock: Pick<Clock, 'now'>;
  collections: Pick<AccountCollections & LeadCollections, 'orgs' | 'leads'>;
  repairs: Pick<RepairStore, 'isDone' | 'done' | 'progress'>;
}

const NAME = 'test_flags';

/**
 * Marks them as live leads, which is how they were sold and counted. Returns their number. Done once it finds none a day
 * after it began: until then processes of the previous release may store some.
 */
export async function markUnflagged({
  collections,
  repairs,
  clock,
}: TestFlagDeps): Promise<number> {
  if (await repairs.isDone(NAME)) return 0;
  const now = clock.now();
  const { begun_at } = await repairs.progress(NAME, now);
  const orgs = await collections.orgs.distinct('_id');
  const { modifiedCount } = await collections.leads.updateMany(
    { org_id: { $in: orgs }, is_test: { $exists: false } },
    { $set: { is_test: false } },
  );
  const isLate = Number(now) >= Number(begun_at) + OVERLAP_MS;
  if (modifiedCount === 0 && isLate) await repairs.done(NAME, now);
  return modifiedCount;
}
