/** Leads in the order in which they arrived, for those who follow them. */
import type { Collection } from 'mongodb';
import type { Lead } from '../rules/lead.js';
import { LEADS_NEWEST } from './leadIndexes.js';
import { LISTED_FIELDS, type ListedLead } from './leadPages.js';

/** The place of a lead among all of its organization: leads of one millisecond are in the order of their ids. */
export interface Arrival {
  at: Date;
  id: string;
}

export interface ArrivalsWanted {
  org_id: string;
  is_test: boolean;
  /** Only leads after it. */
  after: Arrival;
  /** Only leads that arrived before. */
  before: Date;
  limit: number;
}

/** The oldest first. */
export const readArrivals = (
  leads: Collection<Lead>,
  { org_id, is_test, after, before, limit }: ArrivalsWanted,
): Promise<ListedLead[]> =>
  leads
    .find<ListedLead>(
      {
        org_id,
        is_test,
        created_at: { $gte: after.at, $lt: before },
        $or: [{ created_at: { $gt: after.at } }, { _id: { $gt: after.id } }],
      },
      { projection: LISTED_FIELDS, hint: LEADS_NEWEST as Record<string, 1 | -1> },
    )
    .sort({ created_at: 1, _id: 1 })
    .limit(limit)
    .toArray();
