/** The suppression hits of a group of leads, in the lists as they are now. */
import type { Lead } from '../leads/rules/lead.js';
import type { Plan } from '../account/rules/plan.js';
import { type SuppressionHit, suppressionKeys } from '../account/rules/suppressionKeys.js';
import { hashMd5 } from '../account/suppression/hashMd5.js';
import type { SuppressionQuery, SuppressionStore } from '../account/store/suppressions.js';

/** Looks up the leads whose plan names a list, all together; sends no query when none does. */
export async function findSuppressionHits(
  leads: readonly { lead: Lead; plan: Pick<Plan, 'suppression'> }[],
  { suppressions }: { suppressions: SuppressionStore },
): Promise<Map<string, SuppressionHit[]>> {
  const queries = leads.flatMap(({ lead, plan: { suppression = [] } }): SuppressionQuery[] => {
    if (suppression.length === 0) return [];
    return [
      {
        lead_id: lead._id,
        org_id: lead.org_id,
        list_ids: suppression.map(({ list_id }) => list_id),
        keys: suppressionKeys(lead.fields, hashMd5),
      },
    ];
  });
  return queries.length === 0 ? new Map() : suppressions.hits(queries);
}
