import type { QueueCommand, QueueAnswer } from '../../../workflows/queueCommands.js';

/** An operator's command on a buyer's queue. Free text is stored here, and kept out of Temporal. */
export interface CommandDoc {
  /** The id of the workflow update. */
  _id: string;
  org_id: string;
  buyer_id: string;
  /** Null: the whole queue. */
  lead_id: string | null;
  action: QueueCommand;
  /** For `resolve`: the buyer's decision. */
  result?: 'accepted' | 'rejected';
  by?: string;
  note?: string;
  at: Date;
  /** Rows ended so far, and the ids of those being ended now: a call continues from them where another one died. */
  done: number;
  batch?: string[];
  /** Its result, which a repetition receives too. */
  answer?: QueueAnswer;
}
