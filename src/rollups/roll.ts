/** Brings the roll-ups up to the leads. */
import { add, contributionOf, nonZero, placeKey, type Row, type Rows } from '../domain/rollups.js';
import { windowKeys } from '../domain/windowKeys.js';
import type { Clock } from '../clock.js';
import type { Lead } from '../domain/lead.js';
import type { Collections } from '../store/collections.js';
import type { RollupBatch, RollupChange } from '../store/rollupDocs.js';
import { rollupStore } from '../store/rollups.js';

export interface RollDeps {
  collections: Pick<Collections, 'leads' | 'orgs' | 'rollups' | 'rollupState'>;
  clock: Pick<Clock, 'now' | 'monotonic'>;
}

export interface RollOptions {
  /** Only this organisation's leads. */
  orgId?: string;
  /** No batch is begun after so many milliseconds. */
  withinMs: number;
}

const BATCH_LEADS = 1_000;
/** Sales of a batch, those of its last lead aside: its document stays far below what MongoDB can hold. */
const BATCH_SALES = 5_000;

/** The parts of a lead that counting reads. */
export type RolledLead = Pick<
  Lead,
  | '_id'
  | 'org_id'
  | 'campaign_id'
  | 'supplier_id'
  | 'status'
  | 'is_test'
  | 'fields'
  | 'sales'
  | 'created_at'
  | 'changes'
  | 'counted'
  | 'uncounted'
>;

export const PROJECTION = {
  ...{ org_id: 1, campaign_id: 1, supplier_id: 1, status: 1, is_test: 1, sales: 1, created_at: 1 },
  ...{ 'fields.state': 1, changes: 1, counted: 1, uncounted: 1 },
} as const;

/**
 * Counts leads that have changed, until none is left or the time is over. Safe side by side, and to be cut off
 * anywhere. Returns how many were counted here.
 */
export async function rollUp(deps: RollDeps, options: RollOptions): Promise<number> {
  const { collections, clock } = deps;
  const store = rollupStore(collections, () => clock.now());
  const until = clock.monotonic() + options.withinMs;
  let counted = 0;
  do {
    const after = await store.settled();
    const leads = fitting(await changedLeads(collections.leads, options.orgId));
    if (leads.length === 0) break;
    const batch = batchOf(leads, await timeZones(leads, collections.orgs));
    if (await store.commit(after, batch)) counted += leads.length;
  } while (clock.monotonic() < until);
  return counted;
}

const changedLeads = (
  leads: RollDeps['collections']['leads'],
  orgId: string | undefined,
): Promise<RolledLead[]> =>
  leads
    .find({ uncounted: true, ...(orgId === undefined ? {} : { org_id: orgId }) })
    .project<RolledLead>(PROJECTION)
    .limit(BATCH_LEADS)
    .toArray();

/** As many as a batch may hold. */
function fitting(leads: readonly RolledLead[]): RolledLead[] {
  let sales = 0;
  return leads.filter((lead) => {
    const fits = sales < BATCH_SALES;
    sales += lead.sales.length;
    return fits;
  });
}

async function timeZones(
  leads: readonly RolledLead[],
  orgs: RollDeps['collections']['orgs'],
): Promise<Map<string, string>> {
  const ids = [...new Set(leads.map(({ org_id }) => org_id))];
  const found = await orgs.find({ _id: { $in: ids } }).toArray();
  return new Map(found.map(({ _id, time_zone }) => [_id, time_zone]));
}

function batchOf(leads: readonly RolledLead[], zones: ReadonlyMap<string, string>): RollupBatch {
  const days = new Map<string, { day: DayOf; rows: Rows }>();
  const counted = leads.map((lead) => {
    const { org_id, campaign_id } = lead;
    const { day } = windowKeys(lead.created_at, zones.get(org_id) ?? 'UTC');
    const key = `${campaign_id}:${day}`;
    const { rows } = days.get(key) ?? { rows: new Map() as Rows };
    days.set(key, { day: { org_id, campaign_id, day }, rows });
    const contribution = contributionOf(lead);
    add(rows, lead, lead.counted?.contribution ?? null, -1);
    add(rows, lead, contribution, 1);
    return { _id: lead._id, changes: lead.changes ?? 0, contribution };
  });
  const rows = [...days.values()].flatMap(({ day, rows: sums }) => changesOf(day, nonZero(sums)));
  return { rows, leads: counted };
}

/** Which sums these are. */
export interface DayOf {
  org_id: string;
  campaign_id: string;
  day: string;
}

export const changesOf = (day: DayOf, rows: readonly Row[]): RollupChange[] =>
  rows.map((row) => ({ _id: `${day.campaign_id}:${day.day}:${placeKey(row)}`, ...day, ...row }));
