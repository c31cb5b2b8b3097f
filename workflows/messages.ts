/** What the workflows receive and what they answer. Ids and words only: no personal data goes this way. */
import { defineSignal, defineUpdate } from '@temporalio/workflow';
import type { QueueCommand, QueueAnswer } from './queueCommands.js';

export interface IntakeInput {
  leadIds: string[];
}

/**
 * How a lead stands. OPEN: a request to a buyer still runs. CAPPED: refused by the supplier's own cap.
 * The other words are those of the stored lead.
 */
export interface LeadVerdict {
  id: string;
  status:
    | 'OPEN'
    | 'PENDING'
    | 'ACCEPTED'
    | 'UNMATCHED'
    | 'DUPLICATE'
    | 'REJECTED'
    | 'CAPPED'
    | 'EXPIRED'
    | 'WITHDRAWN';
  buyer_id?: string;
  duplicate_of?: string;
  /** The request is the same as this lead's, sent again: it is owed that lead's answer. */
  replay_of?: string;
}

export interface ProcessResult {
  verdicts: LeadVerdict[];
  /** Leads that are not decided when this call ends, and when to look at them again. */
  open: string[];
  dueInMs: number;
}

/** The verdicts of the group; null when the group could not be processed yet. */
export const decision = defineUpdate<LeadVerdict[] | null>('decision');

export interface DestinationInput {
  /** Or, of an endpoint, the automation's id. */
  buyerId: string;
  /** Absent, as in what an older version started: a buyer. */
  kind?: 'endpoint';
  /** Where the delivery workers listen. */
  taskQueue: string;
}

export interface ReconcileInput {
  /** Where the delivery workers listen. */
  taskQueue: string;
}

/** Which change, and of which lead. */
export interface ChangeName {
  id: string;
  lead_id: string;
}

export interface ChangesInput {
  changes: ChangeName[];
  /** Those whose buyer has no sale are looked at closely: their delivery may be settled by what they say. */
  settle: boolean;
}

export interface ChangesResult {
  /** Those that are not made yet. */
  open: ChangeName[];
}

/** Answered after the first try, by how many changes it left: the result of each is in the database. */
export const changesTried = defineUpdate<number>('changesTried');

/** Of a workflow that ends what is over by a moment. */
export interface ExpiryInput {
  /** ISO 8601. */
  until: string;
  /** Where the delivery workers listen. */
  taskQueue: string;
  /** So many have, before the workflow went on as a new run. */
  expired?: number;
}

/** What one call has done. */
export interface Expired {
  expired: number;
  /** False: the time of the call was over, and there may be more. */
  isOver: boolean;
  /** Whose they were; the first 48 of each. */
  org_ids: string[];
  campaign_ids: string[];
}

export interface WakeInput {
  /** The buyer has recovered: its cooldown is over. */
  recovered: boolean;
}

/** Rows wait for this destination. An operator may send it bare. */
export const wake = defineSignal<[WakeInput?]>('wake');

export interface DrainResult {
  /** Rows still waiting, counted up to a limit. */
  waiting: number;
  /** Milliseconds until the next one may be sent; null when the queue is empty and the drain may end. */
  nextInMs: number | null;
  /** The destination itself must be left alone until then: new rows change nothing. */
  resting: boolean;
  sent: number;
  /** For those who look; absent when nothing waits, and in what an older version recorded. */
  backlog?: BacklogView;
}

/**
 * closed: leads go to it. open: none does. half-open: its cooldown is over, and what is sent next shows whether it is
 * recovered.
 */
export type BreakerState = 'closed' | 'open' | 'half-open';

/** A buyer's queue as its drain left it. Times are ISO 8601. */
export interface BacklogView {
  /** To be sent when they are due. */
  parked: number;
  held: number;
  /** Held: whether the buyer has them is unknown. */
  unknown: number;
  /** Each kind is counted up to so many. */
  limit: number;
  oldest: string | null;
  /** Null: nothing is to be sent. */
  next: string | null;
  breaker: BreakerState;
  /** By an operator: what is parked later is held too. */
  all_held: boolean;
}

/** What an operator asks of a buyer's queue. Who asked, and why, is in the record under the update's id. */
export interface QueueRequest {
  /** Null: the whole queue. */
  lead_id: string | null;
  /** Of `resolve`: what the buyer did. */
  result?: 'accepted' | 'rejected';
}

/** A request as it is carried out. */
export interface QueueOrder extends QueueRequest {
  /** Of the update: a repetition of it is the same command. */
  id: string;
  action: QueueCommand;
  buyer_id: string;
}

/** Commands on a buyer's queue, one update for each action. */
export const queueUpdates = {
  retry: defineUpdate<QueueAnswer, [QueueRequest]>('retry'),
  hold: defineUpdate<QueueAnswer, [QueueRequest]>('hold'),
  drop: defineUpdate<QueueAnswer, [QueueRequest]>('drop'),
  resolve: defineUpdate<QueueAnswer, [QueueRequest]>('resolve'),
};
