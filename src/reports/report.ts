/** Reports: sums of roll-ups, which are first brought up to date. */
import type { Document } from 'mongodb';
import { SUM_NAMES, type Facet, type Sums } from './rules/rollups.js';
import type { CountedStatus } from '../leads/rules/contribution.js';
import type { RollupDoc } from './store/rollupDocs.js';
import type { RollDeps } from './countBatches.js';
import {
  COUNTING_MS,
  readSettled,
  selectSums,
  UNCOUNTED_MAX,
  type ReportScope,
} from './reading.js';
import { rollUp } from './rollUp.js';

export type GroupBy = 'buyer' | 'supplier' | 'campaign' | 'state' | 'status' | 'day';

export interface ReportRow extends Sums {
  /** An id, a state, a status, a day; null for leads that have none. */
  key: string | null;
  status: CountedStatus;
}

export interface Report {
  rows: ReportRow[];
  /** Leads of the organization whose latest change is not in the sums yet; 0 unless very many arrive. */
  uncounted: number;
}

/**
 * Sums by one property and by status. With a buyer in the scope, or by buyer, `leads` counts the leads that this buyer
 * bought.
 */
export async function readReport(
  deps: RollDeps,
  scope: ReportScope,
  groupBy: GroupBy,
): Promise<Report> {
  const { collections } = deps;
  await rollUp(deps, { orgId: scope.orgId, withinMs: COUNTING_MS });
  const rows = await readSettled(deps, 'leads', () =>
    collections.rollups.aggregate<ReportRow>(pipeline(scope, groupBy)).toArray(),
  );
  const uncounted = await collections.leads.countDocuments(
    { uncounted: true, org_id: scope.orgId },
    { limit: UNCOUNTED_MAX },
  );
  return { rows, uncounted };
}

const KEYS: Record<Exclude<GroupBy, 'status'>, keyof RollupDoc> = {
  buyer: 'buyer_id',
  supplier: 'supplier_id',
  campaign: 'campaign_id',
  state: 'state',
  day: 'day',
};

function pipeline(scope: ReportScope, groupBy: GroupBy): Document[] {
  const { buyer_id } = scope;
  const isBought = buyer_id !== undefined || groupBy === 'buyer';
  const key = groupBy === 'status' ? null : `$${KEYS[groupBy]}`;
  const of = (name: keyof Sums) => ({
    $sum: `$by.v.${isBought && name === 'leads' ? 'sales' : name}`,
  });
  return [
    { $match: selectSums(scope, facetOf(scope, groupBy)) },
    { $project: { key, by: { $objectToArray: '$by_status' } } },
    { $unwind: '$by' },
    {
      $group: {
        _id: { key: '$key', status: '$by.k' },
        ...Object.fromEntries(SUM_NAMES.map((name) => [name, of(name)])),
      },
    },
    // Leads that were counted and then changed leave zeros.
    { $match: { $or: [{ leads: { $ne: 0 } }, { sales: { $ne: 0 } }] } },
    {
      $project: {
        _id: 0,
        key: { $ifNull: ['$_id.key', null] },
        status: '$_id.status',
        ...Object.fromEntries(SUM_NAMES.map((name) => [name, 1])),
      },
    },
  ];
}

/** The smallest facet that distinguishes the groups. */
function facetOf({ supplier_id, buyer_id }: ReportScope, groupBy: GroupBy): Facet {
  const parts = new Set<Facet>();
  if (supplier_id !== undefined || groupBy === 'supplier') parts.add('supplier');
  if (buyer_id !== undefined || groupBy === 'buyer') parts.add('buyer');
  if (groupBy === 'state') parts.add('state');
  const [only = 'all'] = parts;
  return parts.size > 1 ? 'cell' : only;
}
