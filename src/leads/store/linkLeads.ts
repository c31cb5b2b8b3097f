/** The live leads of one supplier within one campaign: when the last arrived, and how many in a span of time. */
import type { Collection } from 'mongodb';
import type { Lead } from '../rules/lead.js';
import { NEWEST } from './leadIndexes.js';

export type LeadLink = Pick<Lead, 'org_id' | 'campaign_id' | 'supplier_id'>;

/** Null: none has arrived yet. */
export async function findLastLead(
  leads: Collection<Lead>,
  { org_id, campaign_id, supplier_id }: LeadLink,
): Promise<Date | null> {
  const last = await leads.findOne(
    { org_id, is_test: false, campaign_id, supplier_id },
    { sort: NEWEST, projection: { created_at: 1 } },
  );
  return last?.created_at ?? null;
}

/** Counted up to `limit`. */
export const countLeads = (
  leads: Collection<Lead>,
  { org_id, campaign_id, supplier_id }: LeadLink,
  { from, to }: { from: Date; to: Date },
  limit: number,
): Promise<number> =>
  leads.countDocuments(
    { org_id, is_test: false, campaign_id, supplier_id, created_at: { $gt: from, $lte: to } },
    { limit },
  );
