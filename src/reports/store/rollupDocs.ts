/** How roll-ups are stored. */
import type { PingContribution, PingRow } from '../../pings/rules/rollups.js';
import type { Row } from '../rules/rollups.js';
import type { Contribution } from '../../leads/rules/contribution.js';

/** The key of a sum within one day, in the account's time zone, and campaign. */
interface RollupBase {
  /** `${campaign_id}:${day}:${place}` */
  _id: string;
  org_id: string;
  campaign_id: string;
  /** `2026-11-21`: when the leads, or pings, arrived. */
  day: string;
  /** The latest batch that was added to it: no batch is added twice. */
  seq: number;
  /** Only in `all`: when the day is next compared with its leads, or pings. */
  recount_at?: Date;
}

/** One sum of leads. */
export interface RollupDoc extends Row, RollupBase {}

/** One sum of pings. */
export interface PingRollupDoc extends PingRow, RollupBase {}

/** What a batch adds to one sum. */
export type RollupChange = Omit<RollupDoc, 'seq' | 'recount_at'>;

/** A lead or ping that a batch counts: as it was read, and its contribution afterwards. */
export interface CountedItem<C> {
  _id: string;
  changes: number;
  contribution: C | null;
}

interface LeadBatch {
  rows: RollupChange[];
  leads: CountedItem<Contribution>[];
}
interface PingBatch {
  ping_rows: Omit<PingRollupDoc, 'seq' | 'recount_at'>[];
  pings: CountedItem<PingContribution>[];
}
export type RollupBatch = LeadBatch | PingBatch;

/** Leads and pings are counted separately: many pings delay no report of leads. */
export type Counting = 'leads' | 'pings';

/** One document for each kind: its number decides which process may make the next batch. */
export interface RollupStateDoc {
  _id: Counting;
  /** Number of the latest batch. */
  seq: number;
  /** Written before it is applied, so that any process that finds it can finish it. */
  batch: RollupBatch | null;
}
