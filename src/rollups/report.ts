/** Reports: sums of roll-ups, brought up to the leads first. */
import type { Document } from 'mongodb';
import { type CountedStatus, type Facet, type Sums } from '../domain/rollups.js';
import type { RollupDoc } from '../store/rollupDocs.js';
import { rollupStore } from '../store/rollups.js';
import { rollUp, type RollDeps } from './roll.js';

export interface ReportScope {
  orgId: string;
  /** Calendar days in the account's time zone, both included. */
  from: string;
  to: string;
  campaign_id?: string | undefined;
  supplier_id?: string | undefined;
  buyer_id?: string | undefined;
}

export type GroupBy = 'buyer' | 'supplier' | 'campaign' | 'state' | 'status' | 'day';

export interface ReportRow extends Sums {
  /** An id, a state, a status, a day; null for leads that have none. */
  key: string | null;
  status: CountedStatus;
}

export interface Report {
  rows: ReportRow[];
  /** Leads of the organisation whose latest change is not in the sums yet; 0 unless very many come in. */
  uncounted: number;
}

/** A report waits so long for changes to be counted, in milliseconds. */
const COUNTING_MS = 100;
/** A batch that is being carried out is in some sums and not in others: the sums are read again. */
const READINGS = 3;
/** As exact as anybody needs to know it. */
const UNCOUNTED_MOST = 100_000;

/**
 * Sums by one property and by status. With a buyer in the scope, or by buyer, `leads` counts what that buyer
 * bought.
 */
export async function readReport(
  deps: RollDeps,
  scope: ReportScope,
  groupBy: GroupBy,
): Promise<Report> {
  const { collections, clock } = deps;
  const uncounted = () =>
    collections.leads.countDocuments(
      { uncounted: true, org_id: scope.orgId },
      { limit: UNCOUNTED_MOST },
    );
  await rollUp(deps, { orgId: scope.orgId, withinMs: COUNTING_MS });
  const store = rollupStore(collections, () => clock.now());
  for (let reading = 1; ; reading++) {
    const seq = await store.settled();
    const rows = await collections.rollups.aggregate<ReportRow>(pipeline(scope, groupBy)).toArray();
    if (reading < READINGS && !(await store.isStill(seq))) continue;
    return { rows, uncounted: await uncounted() };
  }
}

const KEYS: Record<Exclude<GroupBy, 'status'>, keyof RollupDoc> = {
  buyer: 'buyer_id',
  supplier: 'supplier_id',
  campaign: 'campaign_id',
  state: 'state',
  day: 'day',
};

function pipeline(scope: ReportScope, groupBy: GroupBy): Document[] {
  const { orgId: org_id, from, to, campaign_id, supplier_id, buyer_id } = scope;
  const given = { campaign_id, supplier_id, buyer_id };
  const match = {
    org_id,
    facet: facetOf(scope, groupBy),
    day: { $gte: from, $lte: to },
    ...Object.fromEntries(Object.entries(given).filter(([, id]) => id !== undefined)),
  };
  const isBought = buyer_id !== undefined || groupBy === 'buyer';
  const key = groupBy === 'status' ? null : `$${KEYS[groupBy]}`;
  const sum = (name: keyof Sums) => ({ $sum: `$by.v.${name}` });
  return [
    { $match: match },
    { $project: { key, by: { $objectToArray: '$by_status' } } },
    { $unwind: '$by' },
    {
      $group: {
        _id: { key: '$key', status: '$by.k' },
        leads: sum(isBought ? 'sales' : 'leads'),
        ...{ sales: sum('sales'), revenue: sum('revenue'), cost: sum('cost') },
      },
    },
    // What was counted and then changed leaves zeros.
    { $match: { $or: [{ leads: { $ne: 0 } }, { sales: { $ne: 0 } }] } },
    {
      $project: {
        _id: 0,
        key: { $ifNull: ['$_id.key', null] },
        status: '$_id.status',
        ...{ leads: 1, sales: 1, revenue: 1, cost: 1 },
      },
    },
  ];
}

/** The fewest sums that tell the groups apart. */
function facetOf({ supplier_id, buyer_id }: ReportScope, groupBy: GroupBy): Facet {
  const parts = new Set<Facet>();
  if (supplier_id !== undefined || groupBy === 'supplier') parts.add('supplier');
  if (buyer_id !== undefined || groupBy === 'buyer') parts.add('buyer');
  if (groupBy === 'state') parts.add('state');
  const [only = 'all'] = parts;
  return parts.size > 1 ? 'cell' : only;
}

/** The sums of several rows together. */
export const total = (rows: readonly Sums[]): Sums =>
  rows.reduce<Sums>(
    (sum, row) => ({
      leads: sum.leads + row.leads,
      sales: sum.sales + row.sales,
      revenue: sum.revenue + row.revenue,
      cost: sum.cost + row.cost,
    }),
    { leads: 0, sales: 0, revenue: 0, cost: 0 },
  );
