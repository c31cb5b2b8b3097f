/** Leads that arrived before the dedupe settings were widened: they make later leads duplicates without holding a claim. */
import type { Collection } from 'mongodb';
import type { ReachBack } from '../rules/dedupe.js';
import { CLAIMING_STATUSES } from '../rules/leadStatus.js';
import type { Lead } from '../rules/lead.js';
import { DURABLE } from '../../platform/mongo/readConcern.js';
import { LEADS_BY_KEY } from './leadIndexes.js';

/** A lead, or a ping, for which an earlier lead is looked up. */
export interface EarlierRequest extends ReachBack {
  lead_id: string;
  org_id: string;
  campaign_id: string;
}

/**
 * By `lead_id`, the id of the oldest lead that it repeats. Repeats themselves are left out: they extend no window. One
 * query for each lead, by the index of keys: the oldest of a span is nearly always the one that was sold.
 */
export async function findEarlierLeads(
  leads: Collection<Lead>,
  requests: readonly EarlierRequest[],
): Promise<Map<string, string>> {
  const found = await Promise.all(
    requests.map(async (request): Promise<[string, string][]> => {
      const { lead_id, org_id, campaign_id, keys, match, after, before } = request;
      const earlier = await leads.findOne(
        {
          org_id,
          campaign_id,
          ...(match === 'ALL'
            ? { $and: keys.map((forms) => ({ keys: { $in: forms } })) }
            : { keys: { $in: keys.flat() } }),
          created_at: { $gte: after, $lt: before },
          is_test: false,
          status: { $in: [...CLAIMING_STATUSES] },
          duplicate_of: { $exists: false },
        },
        {
          ...DURABLE,
          projection: { _id: 1 },
          sort: { created_at: 1, _id: 1 },
          hint: LEADS_BY_KEY,
        },
      );
      return earlier ? [[lead_id, earlier._id]] : [];
    }),
  );
  return new Map(found.flat());
}
