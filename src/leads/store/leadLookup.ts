/** Finds the leads of a supplier by values that it knows. */
import type { Collection, Filter } from 'mongodb';
import type { Lead } from '../rules/lead.js';
import type { LeadPing } from '../rules/leadPing.js';
import { LEADS_BY_KEY, NEWEST } from './leadIndexes.js';
import type { Projected } from '../../platform/mongo/projected.js';

/** Either the lead's id, or one of these keys (`phone:+1…`, `email:…`) within a campaign. */
export type LeadCriteria =
  { id: string; campaign_id?: string } | { keys: readonly string[]; campaign_id: string };

/** The supplier that looks its leads up, and its organization. */
export type Sender = Pick<Lead, 'org_id' | 'supplier_id'>;

export type LeadLookup = ReturnType<typeof createLeadLookup>;

const FIELDS = {
  campaign_id: 1,
  status: 1,
  is_test: 1,
  buyer_id: 1,
  duplicate_of: 1,
  filter_errors: 1,
  refusal: 1,
  outcome: 1,
  created_at: 1,
  decided_at: 1,
  supplier_id: 1,
  'ping.reveal_buyers': 1,
} as const;

/** The fields of a lead that a supplier may see. */
export type FoundLead = Projected<Lead, typeof FIELDS> & { ping?: Pick<LeadPing, 'reveal_buyers'> };

export const createLeadLookup = (leads: Collection<Lead>) => ({
  /**
   * Newest first, at most `limit`. Leads whose supplier received no id for them are left out: withdrawn ones
   * (503), re-sent requests that received the answer of the first, and resold ones.
   */
  find(
    { org_id, supplier_id }: Sender,
    criteria: LeadCriteria,
    limit: number,
  ): Promise<FoundLead[]> {
    const cursor = leads.find<FoundLead>(
      {
        ...filterOf(criteria),
        org_id,
        supplier_id,
        status: { $ne: 'WITHDRAWN' },
        replay_of: { $exists: false },
        resale: { $exists: false },
      },
      { projection: FIELDS, limit },
    );
    if (!('keys' in criteria)) return cursor.toArray();
    return cursor.sort(NEWEST).hint(LEADS_BY_KEY).toArray();
  },
});

function filterOf(criteria: LeadCriteria): Filter<Lead> {
  const { campaign_id } = criteria;
  return 'keys' in criteria
    ? { campaign_id, keys: { $in: [...criteria.keys] } }
    : { _id: criteria.id, campaign_id };
}
