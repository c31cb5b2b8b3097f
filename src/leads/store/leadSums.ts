/** Sums of the leads of some hours, read from the leads themselves. */
import type { Collection } from 'mongodb';
import { inTimeLimit } from '../../platform/mongo/databaseErrors.js';
import type { Micros } from '../../fields/money.js';
import type { Lead } from '../rules/lead.js';
import type { LeadStatus } from '../rules/leadStatus.js';
import { LEADS_NEWEST, LEADS_OF_SUPPLIER } from './leadIndexes.js';

/** The leads of one status. */
export interface LeadSum {
  status: LeadStatus;
  leads: number;
  sales: number;
  revenue: Micros;
  cost: Micros;
}

/** Milliseconds after which the sums are given up: an account may have a million leads a day. */
const SUMS_WITHIN_MS = 1_500;

/**
 * Live leads that were received from one instant to before another, by their status now.
 * @returns null where they could not be read in time
 */
export const sumLeads = (
  leads: Collection<Lead>,
  org_id: string,
  { from, before }: { from: Date; before: Date },
): Promise<LeadSum[] | null> =>
  inTimeLimit(() =>
    leads
      .aggregate<LeadSum>(
        [
          { $match: { org_id, is_test: false, created_at: { $gte: from, $lt: before } } },
          {
            $group: {
              _id: '$status',
              leads: { $sum: 1 },
              sales: { $sum: { $size: '$sales' } },
              revenue: { $sum: '$price' },
              cost: { $sum: '$cost' },
            },
          },
          { $project: { _id: 0, status: '$_id', leads: 1, sales: 1, revenue: 1, cost: 1 } },
        ],
        { hint: LEADS_NEWEST, maxTimeMS: SUMS_WITHIN_MS },
      )
      .toArray(),
  );

/** When each supplier's latest live lead was received; absent: never. From the index alone, one entry each. */
export async function findLastLeadsAt(
  leads: Collection<Lead>,
  org_id: string,
  supplierIds: readonly string[],
): Promise<ReadonlyMap<string, Date>> {
  const found = await leads
    .aggregate<{ _id: string; at: Date }>(
      [
        { $match: { org_id, is_test: false, supplier_id: { $in: [...supplierIds] } } },
        { $sort: { supplier_id: 1, created_at: -1 } },
        { $group: { _id: '$supplier_id', at: { $first: '$created_at' } } },
      ],
      { hint: LEADS_OF_SUPPLIER },
    )
    .toArray();
  return new Map(found.map(({ _id, at }) => [_id, at]));
}
