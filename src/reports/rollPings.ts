/** Brings the roll-ups of pings up to them. */
import {
  addPing,
  nonZeroPings,
  pingContributionOf,
  pingPlaceKey,
  type PingContribution,
  type PingRow,
} from '../pings/rules/rollups.js';
import type { PingDoc } from '../pings/store/pingDocs.js';
import type { PingBatch, PingRollupChange } from './store/rollupDocs.js';
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

/** Bids of a batch, those of its last ping aside: its document stays far below what MongoDB can hold. */
const BATCH_BIDS = 20_000;

/** The parts of a ping that counting reads. */
export type RolledPing = Pick<
  PingDoc,
  | '_id'
  | 'org_id'
  | 'campaign_id'
  | 'supplier_id'
  | 'state'
  | 'is_test'
  | 'created_at'
  | 'changes'
  | 'counted'
  | 'uncounted'
> & { bids: { buyer_id: string; bid: number }[] };

export const PING_PROJECTION = {
  org_id: 1,
  campaign_id: 1,
  supplier_id: 1,
  state: 1,
  is_test: 1,
  created_at: 1,
  'bids.buyer_id': 1,
  'bids.bid': 1,
  changes: 1,
  counted: 1,
  uncounted: 1,
} as const;

/** What is counted of pings. */
export const PINGS: Tally<RolledPing, PingContribution, PingRow> = {
  contributionOf: pingContributionOf,
  add: addPing,
};

/** Counts pings that are new or were redeemed. Returns how many were counted here. */
export async function rollUpPings(deps: RollDeps, options: RollOptions): Promise<number> {
  const { collections, clock } = deps;
  return countBatches(createRollupStore(deps, 'pings'), clock, options, async () => {
    const found = await collections.pings
      .find(changed(options))
      .project<RolledPing>(PING_PROJECTION)
      .limit(BATCH_MAX)
      .toArray();
    if (found.length === 0) return null;
    const pings = fitting(found, ({ bids }) => bids, BATCH_BIDS);
    const batch = batchOf(pings, await timeZones(pings, collections));
    return { batch, size: pings.length };
  });
}

function batchOf(pings: readonly RolledPing[], zones: ReadonlyMap<string, string>): PingBatch {
  const { days, counted } = tallyByDay(pings, zones, PINGS);
  const ping_rows = days.flatMap(({ day, rows }) => pingChangesOf(day, nonZeroPings(rows)));
  return { ping_rows, pings: counted };
}

export const pingChangesOf = (day: DayOf, rows: readonly PingRow[]): PingRollupChange[] =>
  rows.map((row) => ({
    _id: `${day.campaign_id}:${day.day}:${pingPlaceKey(row)}`,
    ...day,
    ...row,
  }));
