/** Operators' commands on the queue of a buyer, and their answers. */

export type QueueCommand = 'retry' | 'hold' | 'drop' | 'resolve';

/** Why a command on one lead was not carried out. */
export type Refusal =
  | 'not_found'
  /** No row of the lead waits for this buyer. */
  | 'not_waiting'
  /** Its request is in flight. */
  | 'being_sent'
  /** It is unknown whether the buyer has it: sending it again could sell it twice. */
  | 'unknown_delivery'
  /** A run works on the lead; the command may be repeated. */
  | 'busy'
  /** It was resolved with the other result. */
  | 'already_resolved';

/** A command that was carried out. */
export interface QueueDone {
  /** Rows that are due now (retry), held, dropped or resolved. */
  rows: number;
  /** Rows left alone because a run works on their leads. */
  busy: number;
  /** Rows left alone because it is unknown whether the buyer has them. */
  unknown: number;
  /** The lead's state, where the command was on one lead. */
  lead?: { id: string; status: string; buyer_id: string | null };
}

export type QueueAnswer = QueueDone | { refused: Refusal; message: string };
