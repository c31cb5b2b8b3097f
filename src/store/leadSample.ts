/** Leads to look at again: one, some of a campaign, or some of all. */
import type { Collection, FindCursor } from 'mongodb';
import type { Lead } from '../domain/lead.js';

export interface LeadChoice {
  /** One lead. */
  leadId?: string;
  /** Those of one campaign. */
  campaignId?: string;
  /** At the most, 1 or more. */
  limit: number;
}

/** Ids are random, so that the first by id are a sample of all. */
export function leadSample(
  leads: Collection<Lead>,
  { leadId, campaignId, limit }: LeadChoice,
): FindCursor<Lead> {
  if (leadId !== undefined) return leads.find({ _id: leadId });
  if (campaignId !== undefined) return leads.find({ campaign_id: campaignId }).limit(limit);
  return leads.find().sort({ _id: 1 }).limit(limit);
}
