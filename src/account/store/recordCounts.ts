/** How many records an organization has. */
import type { Collection, Document } from 'mongodb';
import type { AccountContext } from '../context.js';

/** How many records of a kind have each status. */
export type PerStatus = Record<string, number>;

export interface RecordCounts {
  campaigns: PerStatus;
  buyers: PerStatus;
  suppliers: PerStatus;
  automations: PerStatus;
  keys: number;
}

/** Of every kind; archived buyers under `archived`, and only keys that are not revoked. */
export async function countRecords({
  collections,
  orgId: org_id,
}: Pick<AccountContext, 'collections' | 'orgId'>): Promise<RecordCounts> {
  const { campaigns, buyers, suppliers, automations, apiKeys } = collections;
  const archived = { $cond: [{ $gt: ['$archived_at', null] }, 'archived', '$status'] };
  const [ofCampaigns, ofBuyers, ofSuppliers, ofAutomations, keys] = await Promise.all([
    perStatus(campaigns, { org_id }),
    perStatus(buyers, { org_id }, archived),
    perStatus(suppliers, { org_id, removed_at: { $exists: false } }),
    perStatus(automations, { org_id }),
    apiKeys.countDocuments({ org_id, kind: 'org', revoked_at: { $exists: false } }),
  ]);
  return {
    campaigns: ofCampaigns,
    buyers: ofBuyers,
    suppliers: ofSuppliers,
    automations: ofAutomations,
    keys,
  };
}

async function perStatus<T extends Document>(
  records: Collection<T>,
  filter: Document,
  status: Document | string = '$status',
): Promise<PerStatus> {
  const counted = await records
    .aggregate<{ _id: string; count: number }>([
      { $match: filter },
      { $group: { _id: status, count: { $sum: 1 } } },
    ])
    .toArray();
  return Object.fromEntries(counted.map(({ _id, count }) => [_id, count]));
}
