/** Brings the roll-ups up to the leads. */
import { add, contributionOf, nonZero, placeKey, type Row } from './rules/rollups.js';
import type { Contribution } from '../leads/rules/contribution.js';
import type { Lead } from '../leads/rules/lead.js';
import type { LeadBatch, RollupChange } from './store/rollupDocs.js';
import { createRollupStore } from './store/rollups.js';
import {
  BATCH_MAX,
  changed,
  countBatches,
  fitting,
  tallyByDay,
  timeZones,
  type DayOf,
  type RollDeps,
  type RollOptions,
  type Tally,
} from './countBatches.js';

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
  | 'outcome'
  | 'created_at'
  | 'changes'
  | 'counted'
  | 'uncounted'
>;

export const PROJECTION = {
  org_id: 1,
  campaign_id: 1,
  supplier_id: 1,
  status: 1,
  is_test: 1,
  sales: 1,
  created_at: 1,
  'fields.state': 1,
  outcome: 1,
  changes: 1,
  counted: 1,
  uncounted: 1,
} as const;

/** What is counted of leads. */
export const LEADS: Tally<RolledLead, Contribution, Row> = { contributionOf, add };

/** Counts leads that have changed. Returns how many were counted here. */
export async function rollUp(deps: RollDeps, options: RollOptions): Promise<number> {
  const { collections, clock } = deps;
  return countBatches(createRollupStore(deps), clock, options, async () => {
    const found = await collections.leads
      .find(changed(options))
      .project<RolledLead>(PROJECTION)
      .limit(BATCH_MAX)
      .toArray();
    if (found.length === 0) return null;
    const leads = fitting(found, ({ sales }) => sales, BATCH_SALES);
    const batch = batchOf(leads, await timeZones(leads, collections));
    return { batch, size: leads.length };
  });
}

function batchOf(leads: readonly RolledLead[], zones: ReadonlyMap<string, string>): LeadBatch {
  const { days, counted } = tallyByDay(leads, zones, LEADS);
  return { rows: days.flatMap(({ day, rows }) => changesOf(day, nonZero(rows))), leads: counted };
}

export const changesOf = (day: DayOf, rows: readonly Row[]): RollupChange[] =>
  rows.map((row) => ({ _id: `${day.campaign_id}:${day.day}:${placeKey(row)}`, ...day, ...row }));
