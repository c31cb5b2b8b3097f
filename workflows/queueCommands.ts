/** What an operator may ask of the queue of a buyer, and what the answer is. */

export type QueueCommand = 'retry' | 'hold' | 'drop' | 'resolve';

/** Why a command on one lead was not done. */
export type Refusal =
  | 'not_found'
  /** No row of the lead waits for this buyer. */
  | 'not_waiting'
  /** Its request is on its way. */
  | 'being_sent'
  /** Whether the buyer has it is not known: sending it again could sell it twice. */
  | 'unknown_delivery'
  /** A run is at work on the lead; the same may be asked again. */
  | 'busy'
  /** It was resolved the other way. */
  | 'already_resolved';

/** A command that was done. */
export interface QueueDone {
  /** Rows that are due now (retry), held, dropped or resolved. */
  rows: number;
  /** Rows left alone because a run is at work on their leads. */
  busy: number;
  /** Rows left alone: whether the buyer has them is unknown. */
  unknown: number;
  /** How the lead stands, where the command was on one. */
  lead?: { id: string; status: string; buyer_id: string | null };
}

export type QueueAnswer = QueueDone | { refused: Refusal; message: string };
