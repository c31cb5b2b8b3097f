/** Leads stored without their test flag. */
import type { LeadCollections } from '../store/collections.js';

export interface TestFlagDeps {
  collections: Pick<LeadCollections, 'leads' | 'orgs'>;
}

/**
 * Marks them as live leads, which is how they were sold and counted. Returns their number.
 */
export async function markUnflagged({ collections }: TestFlagDeps): Promise<number> {
  const orgs = await collections.orgs.distinct('_id');
  const { modifiedCount } = await collections.leads.updateMany(
    { org_id: { $in: orgs }, is_test: { $exists: false } },
    { $set: { is_test: false } },
  );
  return modifiedCount;
}
