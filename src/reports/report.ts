/** Reports: sums of roll-ups, which are first brought up to date. */
import type { CountedStatus } from '../leads/rules/contribution.js';
import { weekdayAt } from '../fields/days.js';
import type { RollDeps } from './countBatches.js';
import { readUpToDate, selectSums, type ReportScope } from './reading.js';
import { LINE_NAMES, SUM_NAMES, type Facet, type LineSums, type Sums } from './rules/rollups.js';
import { sumByStatus, type StatusSums, type SumsAsked } from './store/statusSums.js';

export type GroupBy =
  'buyer' | 'supplier' | 'campaign' | 'state' | 'status' | 'day' | 'weekday' | 'hour';

export interface RowKeys {
  /** An id, a state, a status, a day, a weekday, an hour as `09`; null for leads that have none. */
  key: string | null;
  /** The same of the second property; null without one. */
  then: string | null;
  status: CountedStatus;
}

export interface ReportRow extends LineSums, RowKeys {}
/** With what buyers reported of the leads that they bought. */
export interface OutcomeRow extends Sums, RowKeys {}

export interface Report<Row = ReportRow> {
  rows: Row[];
  /** Leads of the organization whose latest change is not in the sums yet; 0 unless very many arrive. */
  uncounted: number;
  /** There are more groups than are read. */
  isCut: boolean;
}

/** Groups that one report is made of; only states, of which suppliers make up any number, can make more. */
const GROUPS_MAX = 50_000;

/**
 * Sums by one property or two, and by status. With a buyer in the scope, or by buyer, `leads` counts the leads that this
 * buyer bought.
 */
export const readReport = (
  deps: RollDeps,
  scope: ReportScope,
  groupBy: GroupBy,
  thenBy?: GroupBy,
): Promise<Report> =>
  readRows(deps, scope, { by: [groupBy, ...(thenBy ? [thenBy] : [])], names: LINE_NAMES });

/** The same by one property, with outcomes. */
export const readOutcomes = (
  deps: RollDeps,
  scope: ReportScope,
  groupBy: GroupBy,
): Promise<Report<OutcomeRow>> => readRows(deps, scope, { by: [groupBy], names: SUM_NAMES });

interface Asked<Name extends keyof Sums> {
  by: readonly GroupBy[];
  names: readonly Name[];
}

async function readRows<Name extends keyof Sums>(
  deps: RollDeps,
  scope: ReportScope,
  { by, names }: Asked<Name>,
): Promise<Report<Pick<Sums, Name> & RowKeys>> {
  const { rollups } = deps.collections;
  const read = (of: readonly GroupBy[]) => sumByStatus(rollups, askedOf(scope, { by: of, names }));
  const { found, uncounted } = await readUpToDate(deps, {
    counting: 'leads',
    orgId: scope.orgId,
    read: () =>
      Promise.all([
        read(by),
        // Leads that an earlier release counted are in no hour: they are told apart from the others.
        by.includes('hour') ? read(by.map(hourless)) : { rows: [], groups: 0 },
      ]),
  });
  const [shown, whole] = found;
  const rows = [...shown.rows, ...leftOf(whole.rows, shown.rows, { by, names })];
  return {
    rows: rows.map((row) => rowOf(row, by)),
    uncounted,
    isCut: shown.groups === GROUPS_MAX,
  };
}

/** Hours of buyers and states are not kept. */
export const hasHours = (scope: ReportScope, by: readonly GroupBy[]): boolean =>
  scope.buyer_id === undefined && !by.includes('buyer') && !by.includes('state');

/** In the place of the hour: one group. */
const hourless = (by: GroupBy): GroupBy => (by === 'hour' ? 'status' : by);

const FIELDS: Partial<Record<GroupBy, string>> = {
  buyer: '$buyer_id',
  supplier: '$supplier_id',
  campaign: '$campaign_id',
  state: '$state',
  day: '$day',
  weekday: '$day',
  hour: '$hour',
  // Each row has its status.
};

const NAMES = ['key', 'then'] as const;

function askedOf<Name extends keyof Sums>(
  scope: ReportScope,
  { by, names }: Asked<Name>,
): SumsAsked<Name> {
  const keys: Record<string, string> = {};
  const regroup: Record<string, unknown> = {};
  for (const [at, one] of by.entries()) {
    const [name, field] = [NAMES[at] ?? '', FIELDS[one]];
    if (field === undefined) continue;
    keys[name] = field;
    regroup[name] = one === 'weekday' ? weekdayOfDay(`$_id.${name}`) : `$_id.${name}`;
  }
  return {
    match: selectSums(scope, facetOf(scope, by)),
    keys,
    names,
    isBought: scope.buyer_id !== undefined || by.includes('buyer'),
    regroup: by.includes('weekday') ? regroup : undefined,
    limit: GROUPS_MAX,
  };
}

const weekdayOfDay = (day: string) => ({ $isoDayOfWeek: { $dateFromString: { dateString: day } } });

function rowOf<Row extends StatusSums<keyof Sums> | StatusSums<never>>(
  { keys, ...row }: Row,
  by: readonly GroupBy[],
) {
  const key = (name: 'key' | 'then', one: GroupBy | undefined): string | null => {
    const found = keys[name] ?? null;
    if (one === 'status') return row.status;
    if (found === null) return null;
    if (one === 'hour') return String(found).padStart(2, '0');
    return one === 'weekday' ? weekdayAt(Number(found)) : String(found);
  };
  return { ...row, key: key('key', by[0]), then: key('then', by[1]) };
}

/** What the rows of all leads have and those of hours have not. */
function leftOf<Name extends keyof Sums>(
  whole: readonly StatusSums<Name>[],
  found: readonly StatusSums<Name>[],
  { by, names }: Asked<Name>,
): StatusSums<Name>[] {
  if (whole.length === 0) return [];
  const hour = NAMES[by.indexOf('hour')];
  const placeOf = ({ keys, status }: StatusSums<Name>): string =>
    JSON.stringify([status, ...NAMES.map((name) => (name === hour ? null : keys[name]))]);
  const left = new Map(whole.map((row) => [placeOf(row), { ...row }]));
  for (const row of found) {
    const rest = left.get(placeOf(row));
    if (rest)
      for (const name of names) rest[name] = (rest[name] - row[name]) as (typeof rest)[Name];
  }
  return [...left.values()].filter((row) => names.some((name) => row[name] !== 0));
}

/** The smallest facet that distinguishes the groups. */
function facetOf({ supplier_id, buyer_id }: ReportScope, by: readonly GroupBy[]): Facet {
  const isBySupplier = supplier_id !== undefined || by.includes('supplier');
  if (by.includes('hour')) return isBySupplier ? 'hour' : 'clock';
  const parts = new Set<Facet>();
  if (isBySupplier) parts.add('supplier');
  if (buyer_id !== undefined || by.includes('buyer')) parts.add('buyer');
  if (by.includes('state')) parts.add('state');
  const [only = 'all'] = parts;
  return parts.size > 1 ? 'cell' : only;
}
