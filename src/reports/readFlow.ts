/** The way of the leads of some days, in sums: from suppliers, past the checks, to buyers, and why the others were lost. */
import type { Document } from 'mongodb';
import type { CountedStatus } from '../leads/rules/contribution.js';
import type { LossReason } from '../leads/rules/loss.js';
import type { RollDeps } from './countBatches.js';
import {
  COUNTING_MS,
  readSettled,
  selectSums,
  UNCOUNTED_MAX,
  type ReportScope,
} from './reading.js';
import { rollUp } from './rollUp.js';
import type { Sums } from './rules/rollups.js';

/** The sums of one status of a supplier, a buyer or a reason; of none of them: of all leads. */
export interface FlowRow extends Pick<Sums, 'leads' | 'sales' | 'revenue' | 'cost'> {
  facet: 'all' | 'supplier' | 'buyer' | 'reason';
  /** Of a supplier or a buyer. */
  id: string | null;
  reason: LossReason | null;
  of: string | null;
  status: CountedStatus;
}

/** The days of a flow, of a campaign or of the whole organization. */
export type FlowScope = Pick<ReportScope, 'orgId' | 'from' | 'to' | 'campaign_id'>;

export interface Flows {
  rows: FlowRow[];
  /** Of the days to compare with. */
  before: FlowRow[];
  uncounted: number;
}

/** @param before other days of the same leads; null: nothing to compare with */
export async function readFlows(
  deps: RollDeps,
  scope: FlowScope,
  before: Pick<FlowScope, 'from' | 'to'> | null,
): Promise<Flows> {
  const { rollups, leads } = deps.collections;
  await rollUp(deps, { orgId: scope.orgId, withinMs: COUNTING_MS });
  const read = (asked: FlowScope) => rollups.aggregate<FlowRow>(pipeline(asked)).toArray();
  const [rows, earlier] = await readSettled(deps, 'leads', () =>
    Promise.all([read(scope), before ? read({ ...scope, ...before }) : []]),
  );
  const uncounted = await leads.countDocuments(
    { uncounted: true, org_id: scope.orgId },
    { limit: UNCOUNTED_MAX },
  );
  return { rows, before: earlier, uncounted };
}

const FACETS: FlowRow['facet'][] = ['all', 'supplier', 'buyer', 'reason'];
const SUMMED = ['leads', 'sales', 'revenue', 'cost'] as const satisfies readonly (keyof Sums)[];

function pipeline(scope: FlowScope): Document[] {
  const sums = Object.fromEntries(SUMMED.map((name) => [name, { $sum: `$by.v.${name}` }]));
  const key = { facet: 1, id: { $ifNull: ['$supplier_id', '$buyer_id'] }, reason: 1, of: 1 };
  return [
    { $match: selectSums(scope, { $in: FACETS }) },
    { $project: { ...key, by: { $objectToArray: '$by_status' } } },
    { $unwind: '$by' },
    {
      $group: {
        _id: { facet: '$facet', id: '$id', reason: '$reason', of: '$of', status: '$by.k' },
        ...sums,
      },
    },
    // Leads that were counted and then changed leave zeros.
    { $match: { $or: [{ leads: { $ne: 0 } }, { sales: { $ne: 0 } }] } },
    {
      $project: {
        _id: 0,
        facet: '$_id.facet',
        id: { $ifNull: ['$_id.id', null] },
        reason: { $ifNull: ['$_id.reason', null] },
        of: { $ifNull: ['$_id.of', null] },
        status: '$_id.status',
        ...Object.fromEntries(SUMMED.map((name) => [name, 1])),
      },
    },
  ];
}
