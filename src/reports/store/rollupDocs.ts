/** How roll-ups are stored. */
import type { Lead } from '../../leads/rules/lead.js';
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
export type PingRollupChange = Omit<PingRollupDoc, 'seq' | 'recount_at'>;

/** Leads that a batch counts: as they were read, and their contribution afterwards. */
export type CountedLead = Pick<Lead, '_id' | 'changes'> & { contribution: Contribution | null };

/** The same for pings. */
export interface CountedPing {
  _id: string;
  changes: number;
  contribution: PingContribution | null;
}

export interface LeadBatch {
  rows: RollupChange[];
  leads: CountedLead[];
}
export interface PingBatch {
  ping_rows: PingRollupChange[];
  pings: CountedPing[];
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
