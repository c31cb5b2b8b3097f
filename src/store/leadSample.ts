/** Leads to look at again: one, some of a campaign, or some of all. */
import type { Collection, FindCursor } from 'mongodb';
import type { Lead } from '../domain/lead.js';
import { LEADS_BY_TIME } from './indexes.js';

export interface LeadChoice {
  /** One lead. */
  leadId?: string;
  /** Those of one campaign. */
  campaign?: Pick<Lead, 'org_id' | 'campaign_id'>;
  /** At the most, 1 or more. */
  limit: number;
}

/** Those of a campaign: its newest. Ids are random, so that the first by id are a sample of all. */
export function leadSample(
  leads: Collection<Lead>,
  { leadId, campaign, limit }: LeadChoice,
): FindCursor<Lead> {
  if (leadId !== undefined) return leads.find({ _id: leadId });
  if (campaign) {
    const filter = { ...campaign, is_test: { $in: [false, true] } };
    return leads.find(filter).hint(LEADS_BY_TIME).limit(limit);
  }
  return leads.find().sort({ _id: 1 }).limit(limit);
}
