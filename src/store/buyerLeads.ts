/** Finding the leads that a buyer may mean. */
import type { Collection } from 'mongodb';
import type { Lead } from '../domain/lead.js';

/** What tells whether a lead is a buyer's. */
export type CandidateLead = Pick<Lead, '_id' | 'campaign_id' | 'status'> & {
  sales: { buyer_id: string }[];
};

export interface BuyerLeads {
  /** Leads of any organisation: each says whose it is. */
  byIds(leadIds: readonly string[]): Promise<Map<string, CandidateLead & Pick<Lead, 'org_id'>>>;
  byId(orgId: string, leadId: string): Promise<CandidateLead | null>;
  /** Leads of a campaign with one value of a field, newest first, at most `limit`. */
  byKey(orgId: string, campaignId: string, key: string, limit: number): Promise<CandidateLead[]>;
}

const FIELDS = { campaign_id: 1, status: 1, 'sales.buyer_id': 1 } as const;

export const buyerLeads = (leads: Collection<Lead>): BuyerLeads => ({
  async byIds(leadIds) {
    if (leadIds.length === 0) return new Map();
    const found = await leads
      .find({ _id: { $in: [...leadIds] } })
      .project<CandidateLead & Pick<Lead, 'org_id'>>({ ...FIELDS, org_id: 1 })
      .toArray();
    return new Map(found.map((lead) => [lead._id, lead]));
  },
  byId: (orgId, leadId) =>
    leads.findOne<CandidateLead>({ _id: leadId, org_id: orgId }, { projection: FIELDS }),
  byKey: (orgId, campaignId, key, limit) =>
    leads
      .find<CandidateLead>(
        { org_id: orgId, keys: key, campaign_id: campaignId },
        { projection: FIELDS, limit },
      )
      .sort({ created_at: -1, _id: -1 })
      .toArray(),
});
