/** Brings the roll-ups up to date with the leads and the pings. */
import {
  add,
  contributionOf,
  difference,
  isSameContribution,
  nonZero,
  placeKey,
  type Row,
} from './rules/rollups.js';
import { hourOf } from '../fields/days.js';
import type { Contribution } from '../leads/rules/contribution.js';
import type { Lead } from '../leads/rules/lead.js';
import type { LostLead } from '../leads/rules/loss.js';
import type { LeadResale } from '../leads/rules/leadResale.js';
import {
  BATCH_MAX,
  countBatches,
  type RollDeps,
  type Rolled,
  type RollOptions,
} from './countBatches.js';
import {
  addPing,
  isSamePingContribution,
  nonZeroPings,
  pingContributionOf,
  pingDifference,
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

/** Steps at the end of a trail that say why a lead was not sold: among hundreds of buyers it has hundreds. */
const STEPS_MAX = 60;

/** Of leads that were not sold; those of the others say nothing that is counted. */
function lastSteps() {
  const step = { step: '$$one.step', result: '$$one.result', reason: '$$one.reason' };
  const input = { $slice: ['$trail', -STEPS_MAX] };
  const steps = { $map: { input, as: 'one', in: { ...step, buyer_id: '$$one.buyer_id' } } };
  const isUnsold = { $in: ['$status', ['UNMATCHED', 'REJECTED', 'EXPIRED']] };
  return { $cond: [isUnsold, steps, '$$REMOVE'] };
}

export const PROJECTION = {
  ...OF_BOTH,
  status: 1,
  sales: 1,
  'fields.state': 1,
  outcome: 1,
  'resale.origin': 1,
  refusal: 1,
  'filter_errors.filter_id': 1,
  'filter_errors.field': 1,
  trail: lastSteps(),
} as const;

/** The parts of a lead that counting reads. */
export type RolledLead = Omit<Projected<Lead, typeof PROJECTION>, 'trail'> &
  Pick<Lead, 'fields'> &
  Pick<LostLead, 'filter_errors' | 'trail'> & { resale?: Pick<LeadResale, 'origin'> };

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

export const LEADS: Rolled<RolledLead, Contribution, Row> = {
  counting: 'leads',
  findUncounted: ({ leads }, org_id) =>
    leads
      .find({ uncounted: true, org_id })
      .project<RolledLead>(PROJECTION)
      .limit(BATCH_MAX)
      .toArray(),
  contributionOf: (lead, timeZone) => contributionOf(lead, hourOf(lead.created_at, timeZone)),
  isSame: isSameContribution,
  add,
  nonZero,
  difference,
  placeKey,
  partsOf: ({ sales }) => sales,
  partsMax: 5_000,
  buildBatch: (rows, leads) => ({ rows, leads }),
};

export const PINGS: Rolled<RolledPing, PingContribution, PingRow> = {
  counting: 'pings',
  findUncounted: ({ pings }, org_id) =>
    pings
      .find({ uncounted: true, org_id })
      .project<RolledPing>(PING_PROJECTION)
      .limit(BATCH_MAX)
      .toArray(),
  contributionOf: pingContributionOf,
  isSame: isSamePingContribution,
  add: addPing,
  nonZero: nonZeroPings,
  difference: pingDifference,
  placeKey: pingPlaceKey,
  partsOf: ({ bids }) => bids,
  partsMax: 20_000,
  buildBatch: (ping_rows, pings) => ({ ping_rows, pings }),
};

/** Counts leads that have changed. Returns the number counted here. */
export const rollUp = async (deps: RollDeps, options: RollOptions): Promise<number> =>
  (await countBatches(LEADS, deps, options)).count;

/** Counts pings that are new or were redeemed. Returns the number counted here. */
export const rollUpPings = async (deps: RollDeps, options: RollOptions): Promise<number> =>
  (await countBatches(PINGS, deps, options)).count;
