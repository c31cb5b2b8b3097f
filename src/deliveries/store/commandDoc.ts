import type { QueueCommand, QueueAnswer } from '../../../workflows/queueCommands.js';

/** What an operator asked of a buyer's queue. Free text stays here, and out of Temporal. */
export interface CommandDoc {
  /** The id of the workflow update. */
  _id: string;
  org_id: string;
  buyer_id: string;
  /** Null: the whole queue. */
  lead_id: string | null;
  action: QueueCommand;
  /** Of `resolve`: what the buyer did. */
  result?: 'accepted' | 'rejected';
  by?: string;
  note?: string;
  at: Date;
  /** Rows ended so far, and the ids of those being ended now: how a call goes on where another one died. */
  done: number;
  batch?: string[];
  /** Its result: a repetition gets the same. */
  answer?: QueueAnswer;
}
