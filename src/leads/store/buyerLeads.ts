/** Finds the leads that a buyer may mean. */
import type { Collection } from 'mongodb';
import type { Lead } from '../rules/lead.js';
import { CLAIMING_STATUSES } from '../rules/leadStatus.js';
import { findByIds } from '../../platform/mongo/findByIds.js';
import { LEADS_BY_KEY, NEWEST } from './leadIndexes.js';

/** The fields that determine whether a lead is a buyer's. */
export type CandidateLead = Pick<Lead, '_id' | 'campaign_id' | 'status'> & {
  sales: { buyer_id: string }[];
};

/** One value of a field within a campaign. */
export interface KeyOfCampaign {
  org_id: string;
  campaign_id: string;
  /** In each form in which it may be stored, such as `phone:+1555…`. */
  keys: readonly string[];
}

const FIELDS = { campaign_id: 1, status: 1, 'sales.buyer_id': 1 } as const;

export type BuyerLeads = ReturnType<typeof createBuyerLeads>;

export const createBuyerLeads = (leads: Collection<Lead>) => ({
  /** Leads of any organization; each has the id of its organization. */
  byIds: (leadIds: readonly string[]): Promise<Map<string, CandidateLead & Pick<Lead, 'org_id'>>> =>
    findByIds(leads, leadIds, { projection: { ...FIELDS, org_id: 1 } }),
  byId: (orgId: string, leadId: string): Promise<CandidateLead | null> =>
    leads.findOne<CandidateLead>({ _id: leadId, org_id: orgId }, { projection: FIELDS }),
  /** Leads of a campaign with one value of a field, newest first, at most `limit`. */
  byKey: (value: KeyOfCampaign, limit: number): Promise<CandidateLead[]> =>
    leads
      .find<CandidateLead>(valued(value), { projection: FIELDS, limit, hint: LEADS_BY_KEY })
      .sort(NEWEST)
      .toArray(),
  /**
   * Of the newest `limit` such leads those that may be the buyer's: sold to it, or not ended unsold. `isCut`: there are
   * more than `limit`, which were not read.
   */
  async byKeyOf(
    buyerId: string,
    value: KeyOfCampaign,
    limit: number,
  ): Promise<{ leads: CandidateLead[]; isCut: boolean }> {
    const [beyond, found] = await Promise.all([
      leads.findOne(valued(value), {
        projection: { _id: 1 },
        sort: NEWEST,
        skip: limit,
        hint: LEADS_BY_KEY,
      }),
      leads
        .aggregate<CandidateLead>(
          [
            { $match: valued(value) },
            { $sort: NEWEST },
            { $limit: limit },
            {
              $match: {
                $or: [{ 'sales.buyer_id': buyerId }, { status: { $in: [...CLAIMING_STATUSES] } }],
              },
            },
            { $project: FIELDS },
          ],
          { hint: LEADS_BY_KEY },
        )
        .toArray(),
    ]);
    return { leads: found, isCut: beyond !== null };
  },
});

const valued = ({ org_id, campaign_id, keys }: KeyOfCampaign) => ({
  org_id,
  keys: { $in: [...keys] },
  campaign_id,
});
