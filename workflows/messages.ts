/** The inputs and results of the workflows. Ids and codes only: no personal data passes through Temporal. */
import { defineSignal, defineUpdate } from '@temporalio/workflow';
import type { QueueCommand, QueueAnswer } from './queueCommands.js';

export interface IntakeInput {
  leadIds: string[];
}

/**
 * The state of a lead. OPEN: a request to a buyer is still in flight. CAPPED: refused by the supplier's own cap.
 * The other values are those of the stored lead.
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
  /** The request repeats this lead's: it receives that lead's answer. */
  replay_of?: string;
  /** An earlier run has promised a decision, which this is. Absent: none has, or it is not known. */
  promised?: true;
}

/** What became of a group of leads: how many were decided in each way. PENDING: they wait in the durable lane. */
export interface IntakeDone {
  leads: number;
  verdicts: Partial<Record<LeadVerdict['status'], number>>;
}

export interface ProcessResult {
  verdicts: LeadVerdict[];
  /** Leads that are not decided when this call ends, and when to check them again. */
  open: string[];
  dueInMs: number;
}

/** The verdicts of the group; null when the group could not be processed yet. */
export const decision = defineUpdate<LeadVerdict[] | null>('decision');

export interface DestinationInput {
  /** The buyer's id, or for `endpoint` the automation's. */
  buyerId: string;
  /** Absent, as in workflows that an older version started: a buyer. */
  kind?: 'endpoint';
  /** The queue of the delivery workers. */
  taskQueue: string;
  /** Sold before this run continued another one, and listed by none. */
  sold?: string[];
  /** What the runs before this one did. */
  done?: { sent: number; sold: number };
}

/** What a drain did until its queue was empty: rows that were sent, and those of them that were sold. */
export type Drained =
  { buyer_id: string; sent: number; sold: number } | { automation_id: string; sent: number };

export interface ReconcileInput {
  /** The queue of the delivery workers. */
  taskQueue: string;
}

/** The ids of a change and of its lead. */
export interface ChangeName {
  id: string;
  lead_id: string;
}

export interface ChangesInput {
  changes: ChangeName[];
  /** Whether changes whose buyer has no sale are settled: their delivery may be settled by what they report. */
  settle: boolean;
}

export interface ChangesResult {
  /** Changes that are not applied yet. */
  open: ChangeName[];
}

/** How many changes of sold leads a group had. All of them are made. */
export interface ChangesDone {
  changes: number;
}

/** Answered after the first try, with the number of changes left: the result of each is in the database. */
export const changesTried = defineUpdate<number>('changesTried');

/** Input of a workflow that expires what is over at a given time. */
export interface ExpiryInput {
  /** ISO 8601. */
  until: string;
  /** The queue of the delivery workers. */
  taskQueue: string;
  /** Number expired before the workflow continued as a new run. */
  expired?: number;
}

/** What a workflow has expired that ends with its bucket of time. */
export type ExpiryDone = Pick<ExpiryInput, 'until'> & { expired: number };

/** The result of one call. */
export interface Expired {
  expired: number;
  /** False: the time of the call was over, and there may be more. */
  isOver: boolean;
  /** Their organizations and campaigns; the first 48 of each. */
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
  /** The destination itself is in a cooldown until then: new rows change nothing. */
  resting: boolean;
  sent: number;
  /** The ids of the leads that were sold; absent: none was, and in what an older version recorded. */
  sold?: string[];
  /** For display; absent when nothing waits, and in what an older version recorded. */
  backlog?: BacklogView;
}

/**
 * closed: leads are sent to it. open: none is. half-open: its cooldown is over, and the next request shows whether it
 * has recovered.
 */
export type BreakerState = 'closed' | 'open' | 'half-open';

/** A buyer's queue as its drain left it. Times are ISO 8601. */
export interface BacklogView {
  /** To be sent when they are due. */
  parked: number;
  held: number;
  /** Held: it is unknown whether the buyer has them. */
  unknown: number;
  /** Maximum to which each kind is counted. */
  limit: number;
  oldest: string | null;
  /** Null: nothing is to be sent. */
  next: string | null;
  breaker: BreakerState;
  /** Held by an operator: rows that are parked later are held too. */
  all_held: boolean;
}

/** An operator's command on a buyer's queue. Its author and note are stored under the update's id. */
export interface QueueRequest {
  /** Null: the whole queue. */
  lead_id: string | null;
  /** For `resolve`: the buyer's decision. */
  result?: 'accepted' | 'rejected';
}

/** A command as it is carried out. */
export interface QueueOrder extends QueueRequest {
  /** Id of the update: a repetition of it is the same command. */
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
