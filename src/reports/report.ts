/** Reports: sums of roll-ups, which are first brought up to date. */
import type { Document } from 'mongodb';
import { SUM_NAMES, total, type Facet, type Sums } from './rules/rollups.js';
import type { CountedStatus } from '../leads/rules/contribution.js';
import type { RollDeps } from './countBatches.js';
import {
  COUNTING_MS,
  readSettled,
  selectSums,
  UNCOUNTED_MAX,
  type ReportScope,
} from './reading.js';
import { rollUp } from './rollUp.js';
import { weekdayAt } from '../fields/days.js';

export type GroupBy =
  'buyer' | 'supplier' | 'campaign' | 'state' | 'status' | 'day' | 'weekday' | 'hour';

export interface ReportRow extends Sums {
  /** An id, a state, a status, a day, a weekday, an hour as `09`; null for leads that have none. */
  key: string | null;
  /** The same of the second property; null without one. */
  then: string | null;
  status: CountedStatus;
}

export interface Report {
  rows: ReportRow[];
  /** Leads of the organization whose latest change is not in the sums yet; 0 unless very many arrive. */
  uncounted: number;
  /** There are more groups than are read. */
  isCut: boolean;
}

/** Rows that one report is made of; only states, of which suppliers make up any number, can make more. */
const ROWS_MAX = 50_000;

/**
 * Sums by one property or two, and by status. With a buyer in the scope, or by buyer, `leads` counts the leads that this
 * buyer bought.
 */
export async function readReport(
  deps: RollDeps,
  scope: ReportScope,
  groupBy: GroupBy,
  thenBy?: GroupBy,
): Promise<Report> {
  const { collections } = deps;
  await rollUp(deps, { orgId: scope.orgId, withinMs: COUNTING_MS });
  const by = [groupBy, ...(thenBy ? [thenBy] : [])];
  const read = (of: readonly GroupBy[]) =>
    collections.rollups.aggregate<FoundRow>(pipeline(scope, of, facetOf(scope, of))).toArray();
  const [found, whole] = await readSettled(deps, 'leads', () =>
    Promise.all([
      read(by),
      // Leads that an earlier release counted are in no hour: they are told apart from the others.
      by.includes('hour') ? read(by.map(hourless)) : Promise.resolve([]),
    ]),
  );
  const rows = [...found, ...leftOf(whole, found, by)];
  const uncounted = await collections.leads.countDocuments(
    { uncounted: true, org_id: scope.orgId },
    { limit: UNCOUNTED_MAX },
  );
  return {
    rows: rows.map((row) => rowOf(row, by)),
    uncounted,
    isCut: found.length === ROWS_MAX,
  };
}

/** Hours of buyers and states are not kept. */
export const hasHours = (scope: ReportScope, by: readonly GroupBy[]): boolean =>
  scope.buyer_id === undefined && !by.includes('buyer') && !by.includes('state');

interface FoundRow extends Sums {
  keys: (string | number | null)[];
  status: CountedStatus;
}

/** In the place of the hour: one group. */
const hourless = (by: GroupBy): GroupBy => (by === 'hour' ? 'status' : by);

const KEYS: Record<GroupBy, unknown> = {
  buyer: '$buyer_id',
  supplier: '$supplier_id',
  campaign: '$campaign_id',
  state: '$state',
  day: '$day',
  weekday: { $isoDayOfWeek: { $dateFromString: { dateString: '$day' } } },
  hour: '$hour',
  // Each row has its status.
  status: null,
};

function pipeline(scope: ReportScope, by: readonly GroupBy[], facet: Facet): Document[] {
  const isBought = scope.buyer_id !== undefined || by.includes('buyer');
  const of = (name: keyof Sums) => ({
    $sum: `$by.v.${isBought && name === 'leads' ? 'sales' : name}`,
  });
  return [
    { $match: selectSums(scope, facet) },
    {
      $project: {
        keys: by.map((one) => ({ $ifNull: [KEYS[one], null] })),
        by: { $objectToArray: '$by_status' },
      },
    },
    { $unwind: '$by' },
    {
      $group: {
        _id: { keys: '$keys', status: '$by.k' },
        ...Object.fromEntries(SUM_NAMES.map((name) => [name, of(name)])),
      },
    },
    // Leads that were counted and then changed leave zeros.
    { $match: { $or: [{ leads: { $ne: 0 } }, { sales: { $ne: 0 } }] } },
    { $limit: ROWS_MAX },
    {
      $project: {
        _id: 0,
        keys: '$_id.keys',
        status: '$_id.status',
        ...Object.fromEntries(SUM_NAMES.map((name) => [name, 1])),
      },
    },
  ];
}

function rowOf({ keys, ...row }: FoundRow, by: readonly GroupBy[]): ReportRow {
  const key = (at: number): string | null => {
    const one = keys[at] ?? null;
    if (by[at] === 'status') return row.status;
    if (by[at] === 'hour' && one !== null) return String(one).padStart(2, '0');
    if (by[at] === 'weekday') return weekdayAt(Number(one));
    return one === null ? null : String(one);
  };
  return { ...row, key: key(0), then: key(1) };
}

/** What the rows of all leads have and those of hours have not. */
function leftOf(
  whole: readonly FoundRow[],
  found: readonly FoundRow[],
  by: readonly GroupBy[],
): FoundRow[] {
  const at = by.indexOf('hour');
  const placeOf = ({ keys, status }: FoundRow): string =>
    JSON.stringify([status, ...keys.filter((_, nth) => nth !== at)]);
  const ofHours = Map.groupBy(found, placeOf);
  return whole.flatMap((row) => {
    const known = total(ofHours.get(placeOf(row)) ?? []);
    const left = { ...row };
    for (const name of SUM_NAMES) left[name] = row[name] - known[name];
    return left.leads === 0 && left.sales === 0 ? [] : [left];
  });
}

/** The smallest facet that distinguishes the groups. */
function facetOf({ supplier_id, buyer_id }: ReportScope, by: readonly GroupBy[]): Facet {
  if (by.includes('hour')) return 'hour';
  const parts = new Set<Facet>();
  if (supplier_id !== undefined || by.includes('supplier')) parts.add('supplier');
  if (buyer_id !== undefined || by.includes('buyer')) parts.add('buyer');
  if (by.includes('state')) parts.add('state');
  const [only = 'all'] = parts;
  return parts.size > 1 ? 'cell' : only;
}
