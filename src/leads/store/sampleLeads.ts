/** Leads to check again: one, some of a campaign, or some of all. */
import type { AbstractCursor, Collection } from 'mongodb';
import type { Lead } from '../rules/lead.js';

export interface LeadChoice {
  /** One lead. */
  leadId?: string;
  /** Those of one campaign. */
  campaign?: Pick<Lead, 'org_id' | 'campaign_id'>;
  /** Of a campaign, only live leads. */
  onlyLive?: true;
  /** Maximum number, 1 or more. */
  limit: number;
}

/**
 * For a campaign: its newest. For all: a random sample, whose cost is that of its leads as long as they are less than a
 * twentieth of all.
 */
export function sampleLeads(
  leads: Collection<Lead>,
  { leadId, campaign, limit, onlyLive }: LeadChoice,
): AbstractCursor<Lead> {
  if (leadId !== undefined) return leads.find({ _id: leadId });
  if (campaign) {
    const filter = { ...campaign, is_test: onlyLive ? false : { $in: [false, true] } };
    return leads.find(filter).sort({ created_at: -1, _id: -1 }).limit(limit);
  }
  // At random, because ids begin with the time: the first would all be old ones.
  return leads.aggregate<Lead>([{ $sample: { size: limit } }], { allowDiskUse: true });
}
