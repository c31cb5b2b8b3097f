/** How roll-ups are stored. */
import type { Lead } from '../domain/lead.js';
import type { Contribution, Row } from '../domain/rollups.js';

/** One sum of one day, in the account's time zone, and campaign. */
export interface RollupDoc extends Row {
  /** `${campaign_id}:${day}:${placeKey}` */
  _id: string;
  org_id: string;
  campaign_id: string;
  /** `2026-11-21`: when the leads came in. */
  day: string;
  /** The latest batch that was added to it: no batch is added twice. */
  seq: number;
  /** Only in `all`: when the day is next compared with its leads. */
  recount_at?: Date;
}

/** What a batch adds to one sum. */
export type RollupChange = Omit<RollupDoc, 'seq' | 'recount_at'>;

/** Leads that a batch counts: as they were read, and what the sums hold of them afterwards. */
export type CountedLead = Pick<Lead, '_id' | 'changes'> & { contribution: Contribution | null };

export interface RollupBatch {
  rows: RollupChange[];
  leads: CountedLead[];
}

/** One document: who may make the next batch is decided by its number. */
export interface RollupStateDoc {
  _id: 'leads';
  /** Of the latest batch. */
  seq: number;
  /** Written before it is carried out, so that whoever finds it can finish it. */
  batch: RollupBatch | null;
}
