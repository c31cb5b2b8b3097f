/** Brings the roll-ups up to date with the leads and the pings. */
import { add, contributionOf, nonZero, placeKey, type Row } from './rules/rollups.js';
import type { Contribution } from '../leads/rules/contribution.js';
import type { Lead } from '../leads/rules/lead.js';
import type { LeadResale } from '../leads/rules/leadResale.js';
import type { PingRollupChange, RollupBatch, RollupChange } from './store/rollupDocs.js';
import { createRollupStore } from './store/rollups.js';
import {
  BATCH_MAX,
  selectUncounted,
  countBatches,
  takeFitting,
  tallyByDay,
  findTimeZones,
  type DayOf,
  type RollDeps,
  type RollOptions,
  type Tally,
  type Tallied,
  type Countable,
  type NextBatch,
} from './countBatches.js';
import {
  addPing,
  nonZeroPings,
  pingContributionOf,
  pingPlaceKey,
  type PingContribution,
  type PingRow,
} from '../pings/rules/rollups.js';
import type { PingDoc } from '../pings/store/pingDocs.js';
import type { Projected } from '../platform/mongo/projected.js';

const OF_BOTH = {
  org_id: 1,
  campaign_id: 1,
  supplier_id: 1,
  is_test: 1,
  created_at: 1,
  changes: 1,
  counted: 1,
  uncounted: 1,
} as const;

export const PROJECTION = {
  ...OF_BOTH,
  status: 1,
  sales: 1,
  'fields.state': 1,
  outcome: 1,
  'resale.origin': 1,
} as const;

/** The parts of a lead that counting reads. */
export type RolledLead = Projected<Lead, typeof PROJECTION> &
  Pick<Lead, 'fields'> & { resale?: Pick<LeadResale, 'origin'> };

export const PING_PROJECTION = {
  ...OF_BOTH,
  state: 1,
  'bids.buyer_id': 1,
  'bids.bid': 1,
} as const;

/** The parts of a ping that counting reads. */
export type RolledPing = Projected<PingDoc, typeof PING_PROJECTION> & {
  bids: { buyer_id: string; bid: number }[];
};

/** How leads are counted. */
export const LEADS: Tally<RolledLead, Contribution, Row> = { contributionOf, add };

/** How pings are counted. */
export const PINGS: Tally<RolledPing, PingContribution, PingRow> = {
  contributionOf: pingContributionOf,
  add: addPing,
};

/** How batches are made from leads, or from pings. */
interface Source<One, C, R> {
  find: (collections: RollDeps['collections'], options: RollOptions) => Promise<One[]>;
  tally: Tally<One, C, R>;
  /** The parts that an item adds to the document of a batch. */
  partsOf: (one: One) => readonly unknown[];
  /** Maximum parts of a batch, without its last item: its document stays far below MongoDB's limit. */
  partsMax: number;
  batchOf: (tallied: Tallied<C, R>) => RollupBatch;
}

const LEAD_SOURCE: Source<RolledLead, Contribution, Row> = {
  find: ({ leads }, options) =>
    leads.find(selectUncounted(options)).project<RolledLead>(PROJECTION).limit(BATCH_MAX).toArray(),
  tally: LEADS,
  partsOf: ({ sales }) => sales,
  partsMax: 5_000,
  batchOf: ({ days, counted }) => ({
    rows: days.flatMap(({ day, rows }) => buildChanges(day, nonZero(rows))),
    leads: counted,
  }),
};

const PING_SOURCE: Source<RolledPing, PingContribution, PingRow> = {
  find: ({ pings }, options) =>
    pings
      .find(selectUncounted(options))
      .project<RolledPing>(PING_PROJECTION)
      .limit(BATCH_MAX)
      .toArray(),
  tally: PINGS,
  partsOf: ({ bids }) => bids,
  partsMax: 20_000,
  batchOf: ({ days, counted }) => ({
    ping_rows: days.flatMap(({ day, rows }) => buildPingChanges(day, nonZeroPings(rows))),
    pings: counted,
  }),
};

/** Counts leads that have changed. Returns the number counted here. */
export const rollUp = (deps: RollDeps, options: RollOptions): Promise<number> =>
  countBatches(createRollupStore(deps), deps.clock, options, () =>
    nextBatch(LEAD_SOURCE, deps, options),
  );

/** Counts pings that are new or were redeemed. Returns the number counted here. */
export const rollUpPings = (deps: RollDeps, options: RollOptions): Promise<number> =>
  countBatches(createRollupStore(deps, 'pings'), deps.clock, options, () =>
    nextBatch(PING_SOURCE, deps, options),
  );

async function nextBatch<One extends Countable<C>, C, R>(
  { find, tally, partsOf, partsMax, batchOf }: Source<One, C, R>,
  { collections }: RollDeps,
  options: RollOptions,
): Promise<NextBatch | null> {
  const found = await find(collections, options);
  if (found.length === 0) return null;
  const some = takeFitting(found, partsOf, partsMax);
  const tallied = tallyByDay(some, await findTimeZones(some, collections), tally);
  return { batch: batchOf(tallied), size: some.length };
}

export const buildChanges = (day: DayOf, rows: readonly Row[]): RollupChange[] =>
  rows.map((row) => ({ _id: `${day.campaign_id}:${day.day}:${placeKey(row)}`, ...day, ...row }));

export const buildPingChanges = (day: DayOf, rows: readonly PingRow[]): PingRollupChange[] =>
  rows.map((row) => ({
    _id: `${day.campaign_id}:${day.day}:${pingPlaceKey(row)}`,
    ...day,
    ...row,
  }));
